// `::name` means the name of the global scope, also if an opened namespace has a better fit.

RWStructuredBuffer<uint> Out;

namespace B
{
    static const uint v = 1;
    struct T { uint Get() { return 3; } };
    uint f(uint a) { return 1; }
    uint h(uint a) { return 6; }
    template<typename X> uint q(X a) { return 1; }
}
using namespace B;
static const uint v = 2;
struct T { uint x; uint Get() { return 4; } };
uint f(float a) { return 2; }
uint q(float a) { return 5; }

[NumThreads(1, 1, 1)]
void Main(uint3 id : SV_DispatchThreadID)
{
    ::T t;
    Out[0] = ::f(id.x);
    Out[1] = ::v;
    Out[2] = t.Get();
    Out[3] = ::q(id.x);
    // The global scope has no such name, so the opened namespace has it.
    Out[4] = ::h(id.x);
    Out[5] = f(id.x);
}
