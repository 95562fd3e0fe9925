// All threads reach it.

RWStructuredBuffer<uint> Out : register(u0);

groupshared uint Line[8];

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(8, 1, 1)]
void Main(uint t : SV_GroupIndex)
{
    Line[t] = t;
    if (t < 8 + Out[9])
        GroupMemoryBarrierWithGroupSync();
    Out[t] = Line[t];
}
