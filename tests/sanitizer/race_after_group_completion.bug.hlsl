// The threads of each workgroup write after the completion of the group's record.

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
    Barrier(UAV_MEMORY, DEVICE_SCOPE | GROUP_SYNC);
    next.OutputComplete();
    Out[group * 4 + thread] = thread;
}

[Shader("node")]
[NodeLaunch("thread")]
void Next(ThreadNodeInputRecord<Item> item)
{
    Out[8 + item.Get().value] = Out[item.Get().value * 4]; // BUG
}
