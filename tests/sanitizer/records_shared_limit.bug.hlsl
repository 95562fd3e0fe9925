// Two outputs that share a limit exceed it together.

RWStructuredBuffer<uint> Out : register(u0);

struct Item { uint value; };

[Shader("node")]
[NodeLaunch("thread")]
void Main([MaxRecords(3)] NodeOutput<Item> Leaf, [MaxRecordsSharedWith(Leaf)] NodeOutput<Item> Other)
{
    ThreadNodeOutputRecords<Item> a = Leaf.GetThreadNodeOutputRecords(2 + Out[9]);
    ThreadNodeOutputRecords<Item> b = Other.GetThreadNodeOutputRecords(2 + Out[9]); // BUG
    for (uint i = 0; i < 2; ++i)
    {
        a.Get(i).value = i;
        b.Get(i).value = i;
    }
    a.OutputComplete();
    b.OutputComplete();
}

[Shader("node")]
[NodeLaunch("thread")]
void Leaf(ThreadNodeInputRecord<Item> item)
{
    InterlockedAdd(Out[0], item.Get().value);
}

[Shader("node")]
[NodeLaunch("thread")]
void Other(ThreadNodeInputRecord<Item> item)
{
    InterlockedAdd(Out[1], item.Get().value);
}
