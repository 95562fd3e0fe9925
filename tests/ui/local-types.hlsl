// Types that functions define, and functions that are declared and not defined.
RWStructuredBuffer<uint> Out;

uint elsewhere(uint x);
uint other_stage(uint x) { return elsewhere(x); }

uint of_methods(uint n)
{
    uint variable = n;
    const uint constant = 2;
    struct S
    {
        uint x;
        uint x; //~ ERROR WG0103
        uint outer() { return variable; } //~ ERROR WG0216
        uint inner() { return constant + unknown; } //~ ERROR WG0101
    };
    struct S { float y; }; //~ ERROR WG0103
    uint a[variable]; //~ ERROR WG0105
    return a[0];
}

uint of_syntax()
{
    struct S
    {
        uint x;
        uint broken() { return x +; } //~ ERROR WG0010
        uint fine() { return x; }
    };
    S s = { 1 };
    return s.fine();
}

struct Record
{
    uint x;
    uint method()
    {
        struct Inner { uint of_outer() { return method(); } }; //~ ERROR WG0208
        return x;
    }
};

uint out_of_reach()
{
    { struct Hidden { uint x; }; }
    Hidden h; //~ ERROR WG0101
    return 0;
}

[Shader("node")]
[NodeLaunch("thread")]
void Main()
{
    struct Empty;
    struct { uint x; } unnamed = { elsewhere(1) }; //~ ERROR WG0224
    Out[0] = unnamed.x;
}
