// Resources that constants choose, increments as targets, unused values, barriers whose flags the host sets.

RWStructuredBuffer<uint> Out : register(u0);
StructuredBuffer<uint> A : register(t0);
StructuredBuffer<uint> B : register(t1);

struct Seed
{
    uint flags;
};

groupshared uint Slots[64];

static const uint Choice = 1;

StructuredBuffer<uint> Pick(int which)
{
    if (which == 0)
        return A;
    else
        return B;
}

StructuredBuffer<uint> ByCase()
{
    StructuredBuffer<uint> picked;
    switch (Choice) {
    case 1:
        picked = B;
        break;
    default:
        picked = A;
        break;
    }
    return picked;
}

void AddFive(inout uint x) { x += 5; }

uint Count(inout uint x)
{
    x += 1;
    return x;
}

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(64, 1, 1)]
void Main(DispatchNodeInputRecord<Seed> input, uint tid : SV_GroupIndex)
{
    Slots[tid] = tid + 1;
    Barrier(GROUP_SHARED_MEMORY, input.Get().flags);
    Out[4 + tid] = Slots[63 - tid];
    if (tid > 0)
        return;

    Out[0] = Pick(0)[0] * 10 + Pick(1)[1];
    Out[1] = ByCase()[2];
    uint a[2] = { 1, 2 };
    AddFive(++a[0]);
    ++a[1] += 3;
    Out[2] = a[0] * 10 + a[1];
    uint n = 0;
    (void)Count(n);
    (void)n;
    Out[3] = n;
}
