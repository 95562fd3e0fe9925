// Default arguments that another declaration has than the one with the body.

uint scaled(uint x, uint by = 3);
uint scaled(uint x, uint by) { return x * by; }
template<typename T> T raised(T x, T by = (T)2);
template<typename U> U raised(U y, U amount) { return y + amount; }
struct Outer { uint k; uint method(uint a, uint b = 4); };
uint Outer::method(uint x, uint y) { return x * y + k; }
namespace n { uint inner(uint x = 8); uint inner(uint x) { return x; } }
uint twice(uint a, uint b);
uint twice(uint a, uint b = 9);
uint twice(uint a, uint b) { return a * b; }

RWStructuredBuffer<uint> Out;

[Shader("node")]
[NodeLaunch("thread")]
void Main()
{
    Outer o = { 1 };
    Out[0] = scaled(5) + scaled(5, 4) * 100;
    Out[1] = raised(5u) * 100 + raised(5u, 1u);
    Out[2] = o.method(2);
    Out[3] = n::inner();
    Out[4] = twice(2);
}
