// A record for an element of the array that no node has.

RWStructuredBuffer<uint> Out : register(u0);

struct Item { uint value; };

[Shader("node")]
[NodeLaunch("thread")]
void Main([MaxRecords(1)] [NodeID("Leaf")] [UnboundedSparseNodes] NodeOutputArray<Item> Leaves)
{
    bool there = Out[9] == 0;
    ThreadNodeOutputRecords<Item> item = Leaves[2 + Out[9]].GetThreadNodeOutputRecords(there ? 1 : 0); // BUG
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
