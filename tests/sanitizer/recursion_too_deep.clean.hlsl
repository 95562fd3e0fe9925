// It asks how many levels are left.

RWStructuredBuffer<uint> Out : register(u0);

struct Item { uint value; };

[Shader("node")]
[NodeLaunch("thread")]
[NodeIsProgramEntry]
[NodeMaxRecursionDepth(3)]
void Main(ThreadNodeInputRecord<Item> item, [MaxRecords(1)] [NodeID("Main")] NodeOutput<Item> Again)
{
    InterlockedAdd(Out[0], 1);
    bool more = GetRemainingRecursionLevels() > 0;
    ThreadNodeOutputRecords<Item> next = Again.GetThreadNodeOutputRecords(more ? 1 : 0);
    if (more)
        next.Get().value = item.Get().value + 1;
    next.OutputComplete();
}
