// Operators that no program may define, and calls of those that it may.
struct Good
{
    uint x;
    Good operator+(Good o) { return o; }
    uint operator()(uint a) { return a; }
    uint operator,(uint a) { return a; }
};
struct Bad
{
    uint x;
    void operator=(Bad o) { } //~ ERROR WG0126
    void operator+=(Bad o) { } //~ ERROR WG0126
    Bad operator++() { return this; } //~ ERROR WG0126
    Bad operator<<(uint n) { return this; } //~ ERROR WG0126
    Bad operator*() { return this; } //~ ERROR WG0126
};
Good operator-(Good a, Good b) { return a; } //~ ERROR WG0126

uint uses(Good g, Bad b)
{
    Good sum = g + 1; //~ ERROR WG0200
    g += g; //~ ERROR WG0207
    uint called = g(1, 2); //~ ERROR WG0201
    uint second = (g, 1);
    Good third = (g, 1); //~ ERROR WG0200
    return (b - b).x; //~ ERROR WG0207
}

float narrower(float3 a, float2 b)
{
    if (float part = a.x)
        part = b; //~ WARN WG0211
    return max(a, b).z; //~ ERROR WG0209 WARN WG0211
}

unsigned int3 spelled(unsigned int16_t2 a, unsigned int64_t b) { return uint3(a, (uint)b); }
unsigned float wrong; //~ ERROR WG0102

[Shader("node")] [NodeLaunch("thread")] void keeps_the_program_from_being_empty() { }
