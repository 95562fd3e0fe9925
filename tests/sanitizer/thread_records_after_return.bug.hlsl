// A thread has returned when the others ask for records.

RWStructuredBuffer<uint> Out : register(u0);

struct Item { uint value; };

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(4, 1, 1)]
void Main(uint t : SV_GroupIndex, [MaxRecords(4)] NodeOutput<Item> Leaf)
{
    if (t > 2 + Out[9])
        return;
    ThreadNodeOutputRecords<Item> item = Leaf.GetThreadNodeOutputRecords(1); // BUG
    item.Get().value = 1;
    item.OutputComplete(); // BUG
}

[Shader("node")]
[NodeLaunch("thread")]
void Leaf(ThreadNodeInputRecord<Item> item)
{
    InterlockedAdd(Out[0], item.Get().value);
}
