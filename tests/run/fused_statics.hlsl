// Static variables begin with their initial values in each invocation: in a chain, in a switch, in the levels of a loop, and in
// groups that run one after the other in the group of their producer.
RWStructuredBuffer<uint> Out;
RWTexture2D<uint> Counts;

struct Item { uint slot, n; };

static uint steps = 3;
static uint2 pair = uint2(1, 2);
groupshared uint sum;

uint Step(uint by) { steps += by; pair.y += by; return steps * 100 + pair.y; }

[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry]
void First(ThreadNodeInputRecord<Item> item, [MaxRecords(2)] [NodeArraySize(2)] NodeOutputArray<Item> Choice)
{
    uint own = Step(1);                                         // 403
    for (uint i = 0; i < 2; i++)
    {
        ThreadNodeOutputRecords<Item> next = Choice[i].GetThreadNodeOutputRecords(1);
        next.Get().slot = item.Get().slot + i;
        next.Get().n = own;
        next.OutputComplete();
    }
}

[Shader("node")] [NodeLaunch("thread")] [NodeID("Choice", 0)]
void Even(ThreadNodeInputRecord<Item> item) { Out[item.Get().slot] = item.Get().n * 1000 + Step(2); }   // 504

[Shader("node")] [NodeLaunch("thread")] [NodeID("Choice", 1)]
void Odd(ThreadNodeInputRecord<Item> item)
{
    uint old;
    InterlockedAdd(Counts[uint2(0, 0)], 5, old);
    Out[item.Get().slot] = item.Get().n * 1000 + Step(3) + Step(4) * 7;     // 605 + 1009 * 7
}

// Each level adds its steps to the number.
[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry] [NodeMaxRecursionDepth(3)]
void Level(ThreadNodeInputRecord<Item> item, [MaxRecords(1)] NodeOutput<Item> Level)
{
    uint n = item.Get().n + Step(1);
    bool more = GetRemainingRecursionLevels() != 0;
    ThreadNodeOutputRecords<Item> next = Level.GetThreadNodeOutputRecords(more ? 1 : 0);
    if (more)
    {
        next.Get().slot = item.Get().slot;
        next.Get().n = n;
    }
    else
    {
        Out[item.Get().slot] = n;
    }
    next.OutputComplete();
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeIsProgramEntry] [NodeDispatchGrid(1, 1, 1)] [NumThreads(4, 1, 1)]
void Group(DispatchNodeInputRecord<Item> item, uint thread : SV_GroupIndex, [MaxRecords(2)] NodeOutput<Item> Part)
{
    if (thread == 0)
    {
        sum = 0;
    }
    GroupMemoryBarrierWithGroupSync();
    InterlockedAdd(sum, Step(thread));                          // 302, 403, 504, 605
    GroupMemoryBarrierWithGroupSync();
    GroupNodeOutputRecords<Item> parts = Part.GetGroupNodeOutputRecords(2);
    if (thread < 2)
    {
        parts.Get(thread).slot = item.Get().slot + thread;
        parts.Get(thread).n = sum;                              // 1814
    }
    parts.OutputComplete();
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(4, 1, 1)]
void Part(DispatchNodeInputRecord<Item> item, uint thread : SV_GroupIndex)
{
    if (thread == 0)
    {
        sum = item.Get().n;
    }
    GroupMemoryBarrierWithGroupSync();
    InterlockedAdd(sum, Step(10));                              // 1312, four times
    GroupMemoryBarrierWithGroupSync();
    if (thread == 3)
    {
        Out[item.Get().slot] = sum;
    }
}
