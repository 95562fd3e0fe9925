// The node sends itself a record when no level is left.

RWStructuredBuffer<uint> Out : register(u0);

struct Item { uint value; };

[Shader("node")]
[NodeLaunch("thread")]
[NodeIsProgramEntry]
[NodeMaxRecursionDepth(3)]
void Main(ThreadNodeInputRecord<Item> item, [MaxRecords(1)] [NodeID("Main")] NodeOutput<Item> Again)
{
    InterlockedAdd(Out[0], 1);
    bool more = item.Get().value < 4;
    ThreadNodeOutputRecords<Item> next = Again.GetThreadNodeOutputRecords(more ? 1 : 0); // BUG
    if (more)
        next.Get().value = item.Get().value + 1;
    next.OutputComplete();
}
