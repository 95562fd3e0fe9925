// The record is written before it is completed.

RWStructuredBuffer<uint> Out : register(u0);

struct Item { uint value; };

[Shader("node")]
[NodeLaunch("thread")]
void Main([MaxRecords(1)] NodeOutput<Item> Leaf)
{
    ThreadNodeOutputRecords<Item> item = Leaf.GetThreadNodeOutputRecords(1);
    for (uint i = 0; i < 2 + Out[9]; ++i)
    {
        item.Get().value = i;
        if (i == 1 + Out[9])
            item.OutputComplete();
    }
}

[Shader("node")]
[NodeLaunch("thread")]
void Leaf(ThreadNodeInputRecord<Item> item)
{
    InterlockedAdd(Out[0], item.Get().value);
}
