// A loop writes the record that it completed in the previous iteration.

RWStructuredBuffer<uint> Out : register(u0);

struct Item { uint value; };

[Shader("node")]
[NodeLaunch("thread")]
void Main([MaxRecords(1)] NodeOutput<Item> Leaf)
{
    ThreadNodeOutputRecords<Item> item = Leaf.GetThreadNodeOutputRecords(1);
    for (uint i = 0; i < 2 + Out[9]; ++i)
    {
        item.Get().value = i; // BUG
        if (i == 0 + Out[9])
            item.OutputComplete();
    }
}

[Shader("node")]
[NodeLaunch("thread")]
void Leaf(ThreadNodeInputRecord<Item> item)
{
    InterlockedAdd(Out[0], item.Get().value);
}
