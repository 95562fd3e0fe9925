// A small graph with all features that kernels handle: two entry nodes, and an array that spills and whose elements share
// their code. Also grids in records, and a coalescing node that two stages send to.

RWStructuredBuffer<uint> Out : register(u0);

struct Item { uint n; };
struct Area { uint3 grid : SV_DispatchGrid; uint n; };

[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry]
void Start(
    ThreadNodeInputRecord<Item> input,
    [MaxRecords(2)] [NodeArraySize(4)] NodeOutputArray<Item> Kind,
    [MaxRecords(1)] NodeOutput<Area> Spread)
{
    uint n = input.Get().n;
    ThreadNodeOutputRecords<Item> two = Kind[n % 4].GetThreadNodeOutputRecords(2);
    two.Get(0).n = n;
    two.Get(1).n = n + 100;
    two.OutputComplete();
    // Always true. A request in a branch keeps the workgroups small, so that the least memory has a spill.
    if (n < 1000)
    {
        ThreadNodeOutputRecords<Area> area = Spread.GetThreadNodeOutputRecords(1);
        area.Get().grid = uint3(n % 3, 1, 1);
        area.Get().n = n;
        area.OutputComplete();
    }
}

// Three workgroups for a record, and one of them sends. One thread writes the record that another thread launches.
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(3, 1, 1)] [NumThreads(32, 1, 1)] [NodeIsProgramEntry]
void Also(
    DispatchNodeInputRecord<Item> input, uint3 group : SV_GroupID, uint thread : SV_GroupIndex,
    [MaxRecords(4)] [NodeArraySize(4)] NodeOutputArray<Item> Kind,
    [MaxRecords(1)] NodeOutput<Area> Spread)
{
    GroupNodeOutputRecords<Item> some = Kind[input.Get().n % 4].GetGroupNodeOutputRecords(group.x == 1 ? 4 : 0);
    if (group.x == 1 && thread < 4)
    {
        some.Get(thread).n = thread;
    }
    some.OutputComplete();
    GroupNodeOutputRecords<Area> area = Spread.GetGroupNodeOutputRecords(group.x == 1 ? 1 : 0);
    if (group.x == 1 && thread == 5)
    {
        area.Get().grid = uint3(1, 1, 1);
        area.Get().n = 7;
    }
    area.OutputComplete();
}

#define KIND(i) \
    [Shader("node")] [NodeLaunch("thread")] [NodeID("Kind", i)] \
    void Kind##i(ThreadNodeInputRecord<Item> input, [MaxRecords(1)] NodeOutput<Item> Last) \
    { \
        InterlockedAdd(Out[0], input.Get().n); \
        ThreadNodeOutputRecords<Item> one = Last.GetThreadNodeOutputRecords(1); \
        one.Get().n = input.Get().n; \
        one.OutputComplete(); \
    }
KIND(0)
KIND(1)
KIND(2)
KIND(3)

[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(4, 1, 1)] [NumThreads(1, 1, 1)]
void Spread(DispatchNodeInputRecord<Area> input, [MaxRecords(1)] NodeOutput<Item> Last)
{
    InterlockedAdd(Out[1], input.Get().n);
    GroupNodeOutputRecords<Item> one = Last.GetGroupNodeOutputRecords(1);
    one.Get().n = input.Get().n;
    one.OutputComplete();
}

groupshared uint Sum;

[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(8, 1, 1)]
void Last([MaxRecords(8)] GroupNodeInputRecords<Item> input, uint thread : SV_GroupIndex)
{
    if (thread == 7)
    {
        Sum = 0;
    }
    GroupMemoryBarrierWithGroupSync();
    if (thread < input.Count())
    {
        InterlockedAdd(Sum, input.Get(thread).n);
    }
    GroupMemoryBarrierWithGroupSync();
    if (thread == 0)
    {
        InterlockedAdd(Out[2], Sum);
    }
}
