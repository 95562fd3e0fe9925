// Floats are exchanged as the bits that they are, in every memory: in buffers, next to reads as numbers; in
// groupshared memory, arrays of buffers and texels.

struct Cell
{
    uint n;
    float3 at;
    float2x2 rows;
};

struct Item
{
    float first;
};

RWStructuredBuffer<float> Best : register(u0);
RWStructuredBuffer<Cell> Cells : register(u1);
RWStructuredBuffer<float> Pages[2] : register(u2);
RWByteAddressBuffer Bytes : register(u4);
RWTexture2D<float> Plane : register(u5);
RWBuffer<float> Line : register(u6);
RWStructuredBuffer<float> Out : register(u7);
groupshared float Shared[4];
groupshared Cell Own;

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeIsProgramEntry]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(4, 1, 1)]
void Main(DispatchNodeInputRecord<Item> input, uint t : SV_GroupIndex)
{
    Shared[t] = t + 0.5;
    if (t == 0)
        Own = Cells[1];
    GroupMemoryBarrierWithGroupSync();

    float old;
    float sum = 0;
    InterlockedExchange(Best[t], input.Get().first + t, old);
    sum += old;                                                     // 10 (t + 1)
    InterlockedExchange(Shared[3 - t], -1.0 * t, old);
    sum += old;                                                     // 3.5 - t
    InterlockedExchange(Pages[t & 1][t >> 1], t * 2.0, old);
    sum += old;                                                     // 100 (1 + t)
    Bytes.InterlockedExchangeFloat(4 * t, t * 0.25, old);
    sum += old;                                                     // 1000
    InterlockedExchange(Plane[uint2(t, 0)], t * 3.0, old);
    sum += old;                                                     // t / 4
    InterlockedExchange(Line[t], -0.0, old);
    sum += old;                                                     // t / 8
    if (t == 2)
        InterlockedExchange(Own.at.y, 77.0, old);
    if (t == 3)
        InterlockedExchange(Own.rows[1][0], 88.0, old);
    GroupMemoryBarrierWithGroupSync();
    Out[t] = sum;
    Out[4 + t] = Shared[t];
    if (t == 0)
    {
        Cells[0] = Own;
        InterlockedExchange(Cells[1].rows[0][1], 99.0, old);
        Out[8] = old;
    }
}
