// Specialisation constants in code and in every number of the graph that they may give. The run file sets all of them.

[[vk::constant_id(0)]] const uint Threads = 4;
[[vk::constant_id(1)]] const int Groups = 2;
[[vk::constant_id(2)]] const uint Budget = 1;
[[vk::constant_id(3)]] const bool Flag = false;
[[vk::constant_id(4)]] const int Below = -1;
[[vk::constant_id(5)]] const float Scale = 1.5;
[[vk::constant_id(6)]] const uint First = 0;
[[vk::constant_id(7)]] const uint64_t Wide = 1;
[[vk::constant_id(8)]] const uint Gather = 1;
[[vk::constant_id(9)]] uint Levels = 1;
// Not set: it has its default.
[[vk::constant_id(10)]] const uint Untouched = 77;

struct Item { uint value; };

RWStructuredBuffer<uint> Out : register(u0);

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(Groups, 1, 1)]
[NumThreads(Threads, 1, 1)]
void Start([MaxRecords(Budget)] [NodeID("leaf", First)] NodeOutput<Item> items)
{
    InterlockedAdd(Out[0], 1);
    GroupNodeOutputRecords<Item> records = items.GetGroupNodeOutputRecords(Budget);
    for (uint i = 0; i < Budget; i++)
        records[i].value = Threads * 3 + i;
    records.OutputComplete();
}

[Shader("node")]
[NodeID("leaf", 0)]
[NodeLaunch("coalescing")]
[NumThreads(1, 1, 1)]
void Never([MaxRecords(Gather)] GroupNodeInputRecords<Item> items)
{
    InterlockedMax(Out[1], 1);
}

[Shader("node")]
[NodeID("leaf", 1)]
[NodeLaunch("coalescing")]
[NumThreads(1, 1, 1)]
void Leaf([MaxRecords(Gather)] GroupNodeInputRecords<Item> items)
{
    InterlockedMax(Out[2], items.Count());
    for (uint i = 0; i < items.Count(); i++)
        InterlockedAdd(Out[3], items[i].value);
}

[Shader("node")]
[NodeLaunch("thread")]
[NodeMaxRecursionDepth(Levels)]
void Again(ThreadNodeInputRecord<Item> item, [MaxRecords(1)] [NodeID("Again")] NodeOutput<Item> more)
{
    InterlockedAdd(Out[4], 1);
    ThreadNodeOutputRecords<Item> next = more.GetThreadNodeOutputRecords(GetRemainingRecursionLevels() != 0 ? 1 : 0);
    if (GetRemainingRecursionLevels() != 0)
        next.Get().value = 0;
    next.OutputComplete();
    // Atomic, like the accesses of other nodes to the buffer at the same time: validation layers do not distinguish its words.
    InterlockedMax(Out[5], Flag ? uint(Below + 100) : 0);
    InterlockedMax(Out[6], uint(Scale * 4));
    InterlockedMax(Out[7], uint(Wide >> 32) + uint(Wide));
    InterlockedMax(Out[8], Untouched);
}
