// A thread writes, and sends an empty record then.

RWStructuredBuffer<uint> Out : register(u0);

[Shader("node")]
[NodeLaunch("thread")]
void Main([MaxRecords(1)] EmptyNodeOutput Next)
{
    Out[0] = 1;
    Next.ThreadIncrementOutputCount(1);
}

[Shader("node")]
[NodeLaunch("thread")]
void Next()
{
    Out[1] = Out[0];
}
