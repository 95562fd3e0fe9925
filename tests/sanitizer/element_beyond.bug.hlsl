// The output has one element; the node after it exists, but the output does not contain it.

RWStructuredBuffer<uint> Out : register(u0);

[Shader("node")]
[NodeLaunch("thread")]
void Main([MaxRecords(1)] [NodeArraySize(1)] [NodeID("Leaf")] EmptyNodeOutputArray Leaf)
{
    Leaf[1 + Out[9]].ThreadIncrementOutputCount(1); // BUG
}

[Shader("node")]
[NodeLaunch("thread")]
[NodeID("Leaf", 0)]
void First()
{
    InterlockedAdd(Out[0], 1);
}

[Shader("node")]
[NodeLaunch("thread")]
[NodeID("Leaf", 1)]
[NodeIsProgramEntry]
void Second()
{
    InterlockedAdd(Out[0], 2);
}
