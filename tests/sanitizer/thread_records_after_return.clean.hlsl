// No thread has returned. Threads of a node with thread launch may: each is a group.

RWStructuredBuffer<uint> Out : register(u0);

struct Item { uint value; };

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(4, 1, 1)]
void Main(uint t : SV_GroupIndex, [MaxRecords(4)] NodeOutput<Item> Leaf)
{
    if (t > 3 + Out[9])
        return;
    ThreadNodeOutputRecords<Item> item = Leaf.GetThreadNodeOutputRecords(1);
    item.Get().value = t;
    item.OutputComplete();
}

[Shader("node")]
[NodeLaunch("thread")]
void Leaf(ThreadNodeInputRecord<Item> item, [MaxRecords(1)] NodeOutput<Item> Last)
{
    if (item.Get().value > 2)
        return;
    if (item.Get().value > 1)
    {
        ThreadNodeOutputRecords<Item> next = Last.GetThreadNodeOutputRecords(1);
        next.Get().value = 1;
        next.OutputComplete();
    }
}

[Shader("node")]
[NodeLaunch("thread")]
void Last(ThreadNodeInputRecord<Item> item)
{
    InterlockedAdd(Out[0], item.Get().value);
}
