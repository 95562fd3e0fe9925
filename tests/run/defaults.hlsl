// Default arguments: of declarations other than the one with the body, and of `out` parameters.

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

static const uint Nothing = 50;
uint taken(uint x, out uint left = Nothing) { left = x - 1; return left * 2; }
uint counted(uint x, inout uint count = Nothing) { count += x; return count; }
struct Part { uint2 at; };
uint parted(uint x, out Part part = (Part)7, out uint halves[2] = { 1, 2 }) { part.at = x; halves[0] = x / 2; halves[1] = 3; return part.at.y + halves[0]; }

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
    uint left, count = 1;
    Part part;
    Out[5] = taken(5) + taken(3, left) * 100;
    Out[6] = left;
    Out[7] = counted(5) + counted(2, count) * 100;
    Out[8] = count;
    Out[9] = parted(9) + parted(4, part) * 100;
    Out[10] = part.at.x;
}
