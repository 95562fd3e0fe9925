// The read comes after a barrier.

RWStructuredBuffer<uint> Out : register(u0);

groupshared uint Count;

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(8, 1, 1)]
void Main(uint t : SV_GroupIndex)
{
    if (t == 0)
        Count = 0;
    GroupMemoryBarrierWithGroupSync();
    InterlockedAdd(Count, t);
    GroupMemoryBarrierWithGroupSync();
    if (Count > 20)
        Out[t] = 1;
}
