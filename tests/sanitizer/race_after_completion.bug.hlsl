// After the completion of its record, a thread writes and reads data that the record's receiver touches.

globallycoherent RWStructuredBuffer<uint> Out : register(u0);

struct Item { uint value; };

[Shader("node")]
[NodeLaunch("thread")]
void Main([MaxRecords(1)] NodeOutput<Item> Next)
{
    ThreadNodeOutputRecords<Item> next = Next.GetThreadNodeOutputRecords(1);
    next.Get().value = 5;
    Barrier(UAV_MEMORY, DEVICE_SCOPE);
    next.OutputComplete();
    Out[0] = 1;
    Out[1] = 2;
    Out[4] = Out[2];
}

[Shader("node")]
[NodeLaunch("thread")]
void Next(ThreadNodeInputRecord<Item> item)
{
    Out[0] = item.Get().value; // BUG
    Out[3] = Out[1]; // BUG
    Out[2] = 7; // BUG
}
