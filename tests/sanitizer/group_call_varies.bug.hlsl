// The number of the group's records differs between threads.

RWStructuredBuffer<uint> Out : register(u0);

struct Item { uint value; };

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(4, 1, 1)]
void Main(uint t : SV_GroupIndex, [MaxRecords(2)] NodeOutput<Item> Leaf)
{
    GroupNodeOutputRecords<Item> items = Leaf.GetGroupNodeOutputRecords(1 + t / 3 + Out[9]); // BUG
    if (t == 0)
        items.Get(0).value = 1;
    items.OutputComplete();
}

[Shader("node")]
[NodeLaunch("thread")]
void Leaf(ThreadNodeInputRecord<Item> item)
{
    InterlockedAdd(Out[0], item.Get().value);
}
