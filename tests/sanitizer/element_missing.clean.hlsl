// IsValid is asked first.

RWStructuredBuffer<uint> Out : register(u0);

struct Item { uint value; };

[Shader("node")]
[NodeLaunch("thread")]
void Main([MaxRecords(1)] [NodeID("Leaf")] [UnboundedSparseNodes] NodeOutputArray<Item> Leaves)
{
    bool there = Leaves[2 + Out[9]].IsValid();
    ThreadNodeOutputRecords<Item> item = Leaves[2 + Out[9]].GetThreadNodeOutputRecords(there ? 1 : 0);
    if (there)
        item.Get().value = 1;
    item.OutputComplete();
}

[NodeID("Leaf", 1)]
[Shader("node")]
[NodeLaunch("thread")]
void Leaf(ThreadNodeInputRecord<Item> item)
{
    InterlockedAdd(Out[0], item.Get().value);
}
