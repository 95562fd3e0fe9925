// They allocate as many.

RWStructuredBuffer<uint> Out : register(u0);

struct Item { uint value; };

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(8, 1, 1)]
void Main(uint t : SV_GroupIndex, [MaxRecords(4)] NodeOutput<Item> Leaf)
{
    ThreadNodeOutputRecords<Item> item = Leaf.GetThreadNodeOutputRecords(t < 4 + Out[9] ? 1 : 0);
    if (t < 4 + Out[9])
        item.Get().value = t;
    item.OutputComplete();
}

[Shader("node")]
[NodeLaunch("thread")]
void Leaf(ThreadNodeInputRecord<Item> item)
{
    InterlockedAdd(Out[0], item.Get().value);
}
