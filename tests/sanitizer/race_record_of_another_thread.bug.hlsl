// Each thread sends on a value that its neighbour may not have written.

globallycoherent RWStructuredBuffer<uint> Out : register(u0);

struct Item { uint value; };

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(4, 1, 1)]
void Main(uint t : SV_GroupIndex, [MaxRecords(4)] NodeOutput<Item> Next)
{
    Out[t] = t + 1;
    Barrier(UAV_MEMORY, DEVICE_SCOPE);
    ThreadNodeOutputRecords<Item> next = Next.GetThreadNodeOutputRecords(1);
    next.Get().value = t ^ 1;
    next.OutputComplete();
}

[Shader("node")]
[NodeLaunch("thread")]
void Next(ThreadNodeInputRecord<Item> item)
{
    Out[4 + item.Get().value] = Out[item.Get().value]; // BUG
}
