// A node after the head of a segment. One workgroup of the head may launch 65,534 workgroups of it, so the admission is bounded
// by the capacity of two axes of a launch.

RWStructuredBuffer<uint> Out : register(u0);

struct Entry { uint x; };

[Shader("node")] [NodeLaunch("broadcasting")] [NodeIsProgramEntry] [NodeDispatchGrid(32769, 1, 1)] [NumThreads(1, 1, 1)]
void Head(DispatchNodeInputRecord<Entry> input, uint3 group : SV_GroupID, [MaxRecords(65534)] EmptyNodeOutput Leaf)
{
    InterlockedAdd(Out[0], input.Get().x);
    Leaf.GroupIncrementOutputCount(group.x % 10000 == 7 ? 3 : 0);
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(1, 1, 1)]
void Leaf()
{
    InterlockedAdd(Out[1], 1);
}
