// The buffer is not globallycoherent, so the barrier does not make its writes visible to the receiver.

RWStructuredBuffer<uint> Out : register(u0);

struct Item { uint value; };

[Shader("node")]
[NodeLaunch("thread")]
void Main([MaxRecords(1)] NodeOutput<Item> Next)
{
    Out[0] = 1;
    Barrier(UAV_MEMORY, DEVICE_SCOPE);
    ThreadNodeOutputRecords<Item> next = Next.GetThreadNodeOutputRecords(1);
    next.Get().value = 5;
    next.OutputComplete();
}

[Shader("node")]
[NodeLaunch("thread")]
void Next(ThreadNodeInputRecord<Item> item)
{
    Out[1] = Out[0] + item.Get().value; // BUG
}
