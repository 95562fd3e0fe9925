// Using-directives and using-declarations of blocks, and names of namespaces that come by a using-directive.

RWStructuredBuffer<uint> Out;

namespace math
{
    static const uint SCALE = 3;
    struct Pair { uint a, b; };
    uint sum(Pair p) { return p.a + p.b; }
    uint pick(uint x) { return x + 1; }
    namespace inner { uint deep(uint x) { return x * 100; } }
}
namespace other { uint pick(float x) { return 7; } }
namespace third
{
    uint pick(uint x) { return 50; }
    struct Tri { uint t; };
    enum Side { LEFT = 3 };
    uint corners(Tri tri) { return 3 * tri.t; }
    uint corners(Side side) { return side; }
    template<typename T> uint twice(T t) { return 2 * corners(t); }
}
// Hides nothing: the function for `Tri` fits better.
uint corners(float x) { return 1; }

using namespace math;
// `inner` is known through the using-directive.
using inner::deep;

[Shader("node")]
[NodeLaunch("thread")]
void Main()
{
    {
        using namespace other;
        Out[0] = pick(1.5f) * 10 + pick(1u);
    }
    {
        using third::pick;
        using math::SCALE;
        Out[1] = pick(1u) * SCALE;
    }
    // Forgotten with its block.
    Out[2] = pick(1u);
    using math::Pair;
    using math::sum;
    Pair pair = { 4, 5 };
    for (uint i = 0; i < 1; ++i)
    {
        using namespace math::inner;
        Out[3] = sum(pair) + deep(2);
    }
    third::Tri tri = { 7 };
    // Found by the namespaces of the arguments.
    Out[5] = corners(tri) * 1000 + corners(third::LEFT) * 100 + twice(tri);
    Out[4] = sizeof(Pair[3]) + sizeof(uint2[2]);
}
