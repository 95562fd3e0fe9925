// A field by the name of a structure that is no base of this one; in a method without an object.
RWStructuredBuffer<uint> Out;
struct Other { uint x; };
struct Base { uint x; };
struct Derived : Base
{
    uint x;
    uint wrong() { return Other::x; } //~ ERROR WG0216
    static uint none() { return Base::x; } //~ ERROR WG0216
};
[Shader("node")] [NodeLaunch("thread")]
void Start()
{
    Derived d = (Derived)0;
    Out[0] = d.wrong() + Derived::none();
}
