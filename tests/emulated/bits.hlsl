// Atomics that compare and exchange the bits of floats. They work in groupshared memory, buffers and records, on fields and on
// components of vectors and matrices, next to plain accesses to the same memory. Also 64-bit atomics on byte-address buffers.

struct Cell
{
    float2 pair;
    float sum;
    uint n;
    float2x3 rows;
};

struct Ask
{
    uint base;
};

struct Rec
{
    float least;
    float minus;
    uint count;
};

RWStructuredBuffer<uint> Result : register(u0);
RWStructuredBuffer<Cell> Cells : register(u1);
RWByteAddressBuffer Bytes : register(u2);
RWByteAddressBuffer Pages[2] : register(u3);

groupshared Cell Shared[2];
groupshared float4 Line;

#define ADD(place, value)                                                                               \
    {                                                                                                   \
        float old = place, expected;                                                                    \
        do                                                                                              \
        {                                                                                               \
            expected = old;                                                                             \
            InterlockedCompareExchangeFloatBitwise(place, expected, expected + (value), old);           \
        } while (asuint(old) != asuint(expected));                                                      \
    }

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(8, 1, 1)]
[NodeIsProgramEntry]
void Start(DispatchNodeInputRecord<Ask> input, [MaxRecords(1)] NodeOutput<Rec> Next, uint g : SV_GroupIndex)
{
    if (g == 0)
    {
        Cell cell = { 1.5, 2.5, 100, 7, 1, 2, 3, 4, 5, 6 };
        Shared[1] = cell;
        Shared[0] = (Cell)0;
        Line = float4(0, -0.0, 8, 16);
    }
    GroupMemoryBarrierWithGroupSync();
    ADD(Shared[1].sum, float(g + 1));                           // 136
    ADD(Shared[1].pair.y, 0.25);                                // 4.5
    ADD(Shared[1].rows[1][2], float(g));                        // 34
    ADD(Line[2 + g % 2], 0.5);                                  // 10, 18
    InterlockedCompareStoreFloatBitwise(Line.y, 0.0, 1.0);      // -0 is not 0
    ADD(Cells[input.Get().base].sum, 1);                        // 8
    ADD(Cells[input.Get().base + 1].pair.x, float(g));          // 28
    InterlockedAdd(Cells[input.Get().base].n, g);               // 28
    float before;
    InterlockedExchange(Shared[0].sum, float(g), before);
    AllMemoryBarrierWithGroupSync();
    if (g == 0)
    {
        Cell copy = Shared[1];
        Cells[2] = copy;
        float2x3 rows = Shared[1].rows;
        Result[0] = (uint)copy.sum * 1000 + (uint)(copy.pair.y * 10) * 10 + copy.n;
        Result[1] = (uint)(rows[1][2] * 100 + rows[0][1]);
        Result[2] = (uint)(Line.z * 100 + Line.w) * 10 + (asuint(Line.y) == 0x80000000 ? 1 : 0);
        Result[3] = Shared[0].sum < 8 ? 1 : 0;
    }

    // 64 bits: sums carry into the high word, which plain loads see; a comparison takes both words.
    Bytes.InterlockedAdd64(8, 0x80000000);
    uint64_t old;
    Bytes.InterlockedMax64(16, (uint64_t)g << 33, old);
    Bytes.InterlockedMin64(24, -(int64_t)g, old);
    if (g == 3)
        Bytes.InterlockedCompareStore64(32, 0x100000002, 0x300000004);
    Pages[1].InterlockedOr64(0, (uint64_t)1 << (g * 8));
    DeviceMemoryBarrierWithGroupSync();
    if (g == 1)
    {
        Result[4] = Bytes.Load(12) * 10 + Bytes.Load(8);
        Result[5] = Bytes.Load(20);
        Result[6] = Bytes.Load(24);
        Result[7] = Bytes.Load(28);
        Result[8] = Bytes.Load(32) * 10 + Bytes.Load(36);
        Result[9] = Pages[1].Load(0);
        Result[10] = Pages[1].Load(4);
    }

    GroupNodeOutputRecords<Rec> next = Next.GetGroupNodeOutputRecords(1);
    if (g == 0)
    {
        next.Get().least = 9;
        next.Get().minus = -0.0;
        next.Get().count = 0;
    }
    Barrier(next, GROUP_SYNC | GROUP_SCOPE);
    InterlockedCompareStoreFloatBitwise(next.Get().minus, 0.0, 3.0);
    InterlockedCompareStoreFloatBitwise(next.Get().least, 9.0, 2.25);
    float was;
    InterlockedCompareExchangeFloatBitwise(next.Get().least, 2.25, 2.25, was);
    InterlockedAdd(next.Get().count, was == 2.25 ? 1 : 0);
    Barrier(next, GROUP_SYNC | GROUP_SCOPE);
    next.OutputComplete();
}

[Shader("node")]
[NodeLaunch("thread")]
void Next(RWThreadNodeInputRecord<Rec> input)
{
    InterlockedCompareStoreFloatBitwise(input.Get().minus, -0.0, 5.0);
    Result[11] = (uint)(input.Get().least * 1000) + (uint)input.Get().minus * 100 + input.Get().count;
    Result[12] = (uint)(Cells[1].sum * 100 + Cells[2].pair.x) * 100 + Cells[1].n;
    float before;
    InterlockedExchange(input.Get().least, 7.5, before);
    Result[13] = (uint)(before * 1000) + (uint)(input.Get().least * 10);
}
