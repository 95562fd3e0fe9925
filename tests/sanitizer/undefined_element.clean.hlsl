// All elements are cleared.

RWStructuredBuffer<uint> Out : register(u0);

groupshared uint Bins[9];

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(8, 1, 1)]
void Main(uint t : SV_GroupIndex)
{
    Bins[t] = t;
    Bins[8] = 0;
    GroupMemoryBarrierWithGroupSync();
    Out[t] = Bins[t + 1] + 1;
}
