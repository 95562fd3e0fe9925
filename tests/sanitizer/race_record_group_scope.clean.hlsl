// The barrier before the count has the scope of the device.

globallycoherent RWStructuredBuffer<uint> Out : register(u0);

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(4, 1, 1)]
void Main(uint t : SV_GroupIndex, [MaxRecords(1)] EmptyNodeOutput Next)
{
    Out[t] = t + 1;
    Barrier(UAV_MEMORY, DEVICE_SCOPE | GROUP_SYNC);
    Next.GroupIncrementOutputCount(1);
}

[Shader("node")]
[NodeLaunch("thread")]
void Next()
{
    Out[4] = Out[3];
}
