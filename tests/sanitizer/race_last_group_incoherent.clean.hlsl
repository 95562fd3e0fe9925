// The last of four workgroups reads the others' writes, in a buffer that is globallycoherent.

globallycoherent RWStructuredBuffer<uint> Out : register(u0);

groupshared uint before;

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(4, 1, 1)]
[NumThreads(2, 1, 1)]
void Main(uint group : SV_GroupID, uint t : SV_GroupIndex)
{
    Out[1 + group * 2 + t] = t;
    DeviceMemoryBarrierWithGroupSync();
    if (t == 0)
        InterlockedAdd(Out[0], 1, before);
    AllMemoryBarrierWithGroupSync();
    if (before == 3)
        InterlockedAdd(Out[9], Out[1 + t] + Out[5 + t]);
}
