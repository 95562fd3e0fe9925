// Records of one node, each a workgroup, write one element.

RWStructuredBuffer<uint> Out : register(u0);

struct Item { uint value; };

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(4, 1, 1)]
void Main(uint t : SV_GroupIndex, [MaxRecords(4)] NodeOutput<Item> Leaf)
{
    ThreadNodeOutputRecords<Item> item = Leaf.GetThreadNodeOutputRecords(1);
    item.Get().value = t + 1;
    item.OutputComplete();
}

[Shader("node")]
[NodeLaunch("thread")]
void Leaf(ThreadNodeInputRecord<Item> item)
{
    Out[0] = item.Get().value; // BUG
}
