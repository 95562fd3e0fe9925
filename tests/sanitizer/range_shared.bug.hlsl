// The last thread has no neighbour.

RWStructuredBuffer<uint> Out : register(u0);

groupshared uint Line[8];

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(8, 1, 1)]
void Main(uint t : SV_GroupIndex)
{
    Line[t] = t;
    GroupMemoryBarrierWithGroupSync();
    Out[t] = Line[t + 1]; // BUG
}
