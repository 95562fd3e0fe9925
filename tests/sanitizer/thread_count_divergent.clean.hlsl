// All threads count, one of them nothing.

RWStructuredBuffer<uint> Out : register(u0);

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(4, 1, 1)]
void Main(uint t : SV_GroupIndex, [MaxRecords(4)] EmptyNodeOutput Leaf)
{
    Leaf.ThreadIncrementOutputCount(t < 3 + Out[9] ? 1 : 0);
}

[Shader("node")]
[NodeLaunch("thread")]
void Leaf()
{
    InterlockedAdd(Out[0], 1);
}
