// All threads of a group write different values to one record.

RWStructuredBuffer<uint> Out : register(u0);

struct Item { uint value; };

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(4, 1, 1)]
void Main(uint t : SV_GroupIndex, [MaxRecords(1)] NodeOutput<Item> Leaf)
{
    GroupNodeOutputRecords<Item> item = Leaf.GetGroupNodeOutputRecords(1);
    item.Get().value = t; // BUG
    item.OutputComplete();
}

[Shader("node")]
[NodeLaunch("thread")]
void Leaf(ThreadNodeInputRecord<Item> item)
{
    Out[0] = item.Get().value;
}
