// All threads make it.

RWStructuredBuffer<uint> Out : register(u0);

struct Item { uint value; };

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(4, 1, 1)]
void Main(uint t : SV_GroupIndex, [MaxRecords(1)] NodeOutput<Item> Leaf)
{
    if (t < 4 + Out[9])
    {
        GroupNodeOutputRecords<Item> item = Leaf.GetGroupNodeOutputRecords(1);
        if (t == 0)
            item.Get().value = 1;
        item.OutputComplete();
    }
}

[Shader("node")]
[NodeLaunch("thread")]
void Leaf(ThreadNodeInputRecord<Item> item)
{
    InterlockedAdd(Out[0], item.Get().value);
}
