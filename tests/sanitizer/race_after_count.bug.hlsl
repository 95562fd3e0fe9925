// A thread writes behind the count that sends an empty record.

RWStructuredBuffer<uint> Out : register(u0);

[Shader("node")]
[NodeLaunch("thread")]
void Main([MaxRecords(1)] EmptyNodeOutput Next)
{
    Next.ThreadIncrementOutputCount(1);
    Out[0] = 1;
}

[Shader("node")]
[NodeLaunch("thread")]
void Next()
{
    Out[1] = Out[0]; // BUG
}
