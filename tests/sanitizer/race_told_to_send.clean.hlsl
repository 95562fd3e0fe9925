// Each makes its writes available before the counter: the last of four workgroups sends for all of them.

globallycoherent RWStructuredBuffer<uint> Out : register(u0);

groupshared uint before;

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(4, 1, 1)]
[NumThreads(2, 1, 1)]
void Main(uint group : SV_GroupID, uint t : SV_GroupIndex, [MaxRecords(1)] EmptyNodeOutput Next)
{
    Out[1 + group * 2 + t] = t;
    Barrier(UAV_MEMORY, DEVICE_SCOPE | GROUP_SYNC);
    if (t == 0)
        InterlockedAdd(Out[0], 1, before);
    Barrier(GROUP_SHARED_MEMORY, GROUP_SCOPE | GROUP_SYNC);
    if (before == 3)
        Next.GroupIncrementOutputCount(1);
}

[Shader("node")]
[NodeLaunch("thread")]
void Next()
{
    Out[9] = Out[1] + Out[4];
}
