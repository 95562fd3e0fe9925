// One thread writes the record.

RWStructuredBuffer<uint> Out : register(u0);

struct Item { uint value; };

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(4, 1, 1)]
void Main(uint t : SV_GroupIndex, [MaxRecords(1)] NodeOutput<Item> Leaf)
{
    GroupNodeOutputRecords<Item> item = Leaf.GetGroupNodeOutputRecords(1);
    if (t == 3)
    item.Get().value = t;
    item.OutputComplete();
}

[Shader("node")]
[NodeLaunch("thread")]
void Leaf(ThreadNodeInputRecord<Item> item)
{
    Out[0] = item.Get().value;
}
