// Only some of the threads count outputs.

RWStructuredBuffer<uint> Out : register(u0);

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(4, 1, 1)]
void Main(uint t : SV_GroupIndex, [MaxRecords(4)] EmptyNodeOutput Leaf)
{
    if (t < 3 + Out[9])
        Leaf.ThreadIncrementOutputCount(1); // BUG
}

[Shader("node")]
[NodeLaunch("thread")]
void Leaf()
{
    InterlockedAdd(Out[0], 1);
}
