// A thread writes first, and then sends an empty record.

globallycoherent RWStructuredBuffer<uint> Out : register(u0);

[Shader("node")]
[NodeLaunch("thread")]
void Main([MaxRecords(1)] EmptyNodeOutput Next)
{
    Out[0] = 1;
    Barrier(UAV_MEMORY, DEVICE_SCOPE);
    Next.ThreadIncrementOutputCount(1);
}

[Shader("node")]
[NodeLaunch("thread")]
void Next()
{
    Out[1] = Out[0];
}
