// Only some of the threads make a call that is for the whole group.

RWStructuredBuffer<uint> Out : register(u0);

struct Item { uint value; };

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(4, 1, 1)]
void Main(uint t : SV_GroupIndex, [MaxRecords(1)] NodeOutput<Item> Leaf)
{
    if (t < 3 + Out[9])
    {
        GroupNodeOutputRecords<Item> item = Leaf.GetGroupNodeOutputRecords(1); // BUG
        if (t == 0)
            item.Get().value = 1;
        item.OutputComplete(); // BUG
    }
}

[Shader("node")]
[NodeLaunch("thread")]
void Leaf(ThreadNodeInputRecord<Item> item)
{
    InterlockedAdd(Out[0], item.Get().value);
}
