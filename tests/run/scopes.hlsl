// Names and their scopes: variables that conditions declare, using-declarations, members without a name.

struct Seed { uint n; };

// `b` and `c` are members of `Parts` by name, and of structures without one in memory.
struct Parts
{
    uint a;
    struct { uint b; struct { uint c; }; };
    uint d;
};

RWStructuredBuffer<uint> Out : register(u0);

namespace Outer
{
    uint weigh(uint a) { return a * 3; }
    uint weigh(float a) { return 1000; }
    static const uint Base = 40;

    namespace Inner
    {
        // The nearest `Outer`, and of all overloads.
        using Outer::weigh;
        uint twice(uint a) { return weigh(a) * 2; }
    }
}

using Outer::weigh;
using ::Outer::Base;
using Outer::Inner::twice;

// Down to zero, so that a condition can be false.
uint down(inout uint n) { return n == 0 ? 0 : n--; }

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeIsProgramEntry]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(1, 1, 1)]
void Scopes(DispatchNodeInputRecord<Seed> input)
{
    uint n = input.Get().n;
    uint a = 7;
    if (uint a = n - 5) Out[0] = a; else Out[0] = 99;
    if (uint a = n - 6) Out[1] = a; else Out[1] = 90 + a;
    Out[2] = a;

    // 6, 5, 4 (left out), 3, 2, 1: the variable is created again in every iteration.
    uint sum = 0;
    uint left = n;
    while (uint k = down(left)) {
        if (k == 4) continue;
        sum += k;
    }
    Out[3] = sum;

    // The step sees the variable of the condition.
    uint trail = 0;
    uint other = 4;
    for (uint i = 0; uint k = down(other); i += k) {
        if (k == 2) continue;
        trail = trail * 10 + i;
    }
    Out[4] = trail;

    switch (uint s = n * 2) {
        case 12: Out[5] = s + 1; break;
        default: Out[5] = 0; break;
    }

    Out[6] = weigh(n) + Base;
    Out[7] = twice(n) + weigh(0.5);

    Parts parts = { 1, 2, 3, 4 };
    Out[8] = parts.a * 1000 + parts.b * 100 + parts.c * 10 + parts.d;
    parts.c += n;
    parts.b = parts.c * 10;
    Out[9] = parts.b + parts.c;
}
