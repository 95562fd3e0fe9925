// A thread counts for its group, and does not wait until the other threads publish their writes.

globallycoherent RWStructuredBuffer<uint> Out : register(u0);

groupshared uint before;

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(2, 1, 1)]
[NumThreads(4, 1, 1)]
void Main(uint group : SV_GroupID, uint t : SV_GroupIndex)
{
    Out[1 + group * 4 + t] = t * 7;
    DeviceMemoryBarrier();
    if (t == 0)
        InterlockedAdd(Out[0], 1, before);
    AllMemoryBarrierWithGroupSync();
    if (before == 1)
        InterlockedAdd(Out[9], Out[1 + t] + Out[5 + t]); // BUG
}
