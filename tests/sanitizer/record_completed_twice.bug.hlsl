// Two iterations of a loop complete the same record.

RWStructuredBuffer<uint> Out : register(u0);

struct Item { uint value; };

[Shader("node")]
[NodeLaunch("thread")]
void Main([MaxRecords(1)] NodeOutput<Item> Leaf)
{
    ThreadNodeOutputRecords<Item> item = Leaf.GetThreadNodeOutputRecords(1);
    item.Get().value = 4;
    for (uint i = 0; i < 2 + Out[9]; ++i)
    {
        if (i >= 0 + Out[9])
            item.OutputComplete(); // BUG
    }
}

[Shader("node")]
[NodeLaunch("thread")]
void Leaf(ThreadNodeInputRecord<Item> item)
{
    InterlockedAdd(Out[0], item.Get().value);
}
