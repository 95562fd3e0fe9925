// A barrier of the device is between the write and the completion of the record.

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
    next.Get().value = t;
    next.OutputComplete();
}

[Shader("node")]
[NodeLaunch("thread")]
void Next(ThreadNodeInputRecord<Item> item)
{
    Out[4 + item.Get().value] = Out[item.Get().value];
}
