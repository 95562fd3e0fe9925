// The threads of each workgroup write first.

globallycoherent RWStructuredBuffer<uint> Out : register(u0);

struct Item { uint value; };

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(2, 1, 1)]
[NumThreads(4, 1, 1)]
void Main(uint group : SV_GroupID, uint thread : SV_GroupIndex, [MaxRecords(1)] NodeOutput<Item> Next)
{
    GroupNodeOutputRecords<Item> next = Next.GetGroupNodeOutputRecords(1);
    if (thread == 0)
        next.Get().value = group;
    Out[group * 4 + thread] = thread;
    Barrier(UAV_MEMORY, DEVICE_SCOPE | GROUP_SYNC);
    next.OutputComplete();
}

[Shader("node")]
[NodeLaunch("thread")]
void Next(ThreadNodeInputRecord<Item> item)
{
    Out[8 + item.Get().value] = Out[item.Get().value * 4];
}
