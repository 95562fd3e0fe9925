// Only some of the threads reach the barrier.

RWStructuredBuffer<uint> Out : register(u0);

groupshared uint Line[8];

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(8, 1, 1)]
void Main(uint t : SV_GroupIndex)
{
    Line[t] = t;
    if (t < 7 + Out[9])
        GroupMemoryBarrierWithGroupSync(); // BUG
    Out[t] = Line[t];
}
