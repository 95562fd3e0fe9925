// A thread writes and reads first, and completes its record last.

globallycoherent RWStructuredBuffer<uint> Out : register(u0);

struct Item { uint value; };

[Shader("node")]
[NodeLaunch("thread")]
void Main([MaxRecords(1)] NodeOutput<Item> Next)
{
    ThreadNodeOutputRecords<Item> next = Next.GetThreadNodeOutputRecords(1);
    next.Get().value = 5;
    Out[0] = 1;
    Out[1] = 2;
    Out[4] = Out[2];
    Barrier(UAV_MEMORY, DEVICE_SCOPE);
    next.OutputComplete();
}

[Shader("node")]
[NodeLaunch("thread")]
void Next(ThreadNodeInputRecord<Item> item)
{
    Out[0] = item.Get().value;
    Out[3] = Out[1];
    Out[2] = 7;
}
