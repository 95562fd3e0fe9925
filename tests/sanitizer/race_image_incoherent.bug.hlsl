// The last of two workgroups reads the other's writes, in an image that is not globallycoherent.

RWTexture2D<uint> Image : register(u1);
RWStructuredBuffer<uint> Out : register(u0);

groupshared uint before;

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(2, 1, 1)]
[NumThreads(2, 1, 1)]
void Main(uint group : SV_GroupID, uint t : SV_GroupIndex)
{
    Image[uint2(t, group)] = t + 1;
    Barrier(UAV_MEMORY, DEVICE_SCOPE | GROUP_SYNC);
    if (t == 0)
        InterlockedAdd(Out[0], 1, before);
    AllMemoryBarrierWithGroupSync();
    if (before == 1)
        Out[1 + t] = Image[uint2(t, 0)]; // BUG
}
