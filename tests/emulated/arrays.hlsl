// Node arrays with gaps, targets that do not exist, recursion reached on two paths, counts without records.

RWStructuredBuffer<uint> Result : register(u0);

struct Item
{
    uint id;
    uint depth;
};

[Shader("node")]
[NodeLaunch("thread")]
[NodeIsProgramEntry]
void Route(
    ThreadNodeInputRecord<Item> input,
    [MaxRecords(1)] [NodeID("Kind", 1)] [NodeArraySize(6)] [AllowSparseNodes] NodeOutputArray<Item> kinds,
    [MaxRecords(1)] [NodeID("Far")] [UnboundedSparseNodes] NodeOutputArray<Item> far,
    [MaxRecords(1)] [AllowSparseNodes] NodeOutput<Item> Nowhere,
    [MaxRecords(1)] NodeOutput<Item> Down,
    [MaxRecords(3)] [NodeArraySize(2)] EmptyNodeOutputArray Tick)
{
    uint id = input.Get().id;
    uint kind = id % 7;
    bool here = kinds[kind].IsValid();
    ThreadNodeOutputRecords<Item> made = kinds[kind].GetThreadNodeOutputRecords(here ? 1 : 0);
    if (here)
    {
        made.Get().id = id;
        made.Get().depth = 0;
    }
    made.OutputComplete();

    uint distant = id * 1000;
    bool exists = far[distant].IsValid();
    ThreadNodeOutputRecords<Item> away = far[distant].GetThreadNodeOutputRecords(exists ? 1 : 0);
    if (exists)
    {
        away.Get().id = id;
        away.Get().depth = 1;
    }
    away.OutputComplete();
    if (!exists)
    {
        InterlockedAdd(Result[0], 1);
    }
    if (Nowhere.IsValid())
    {
        InterlockedAdd(Result[0], 1000000);
    }

    ThreadNodeOutputRecords<Item> down = Down.GetThreadNodeOutputRecords(1);
    down.Get().id = id;
    down.Get().depth = 0;
    down.OutputComplete();
    Tick[id % 2].ThreadIncrementOutputCount(id % 4);
}

// Elements 2 and 5 of the array.
void Kinds(Item item, uint kind)
{
    InterlockedAdd(Result[kind], item.id + 1000);
}

[Shader("node")]
[NodeLaunch("thread")]
[NodeID("Kind", 2)]
void KindTwo(ThreadNodeInputRecord<Item> input, [MaxRecords(1)] NodeOutput<Item> Down)
{
    Kinds(input.Get(), 2);
    ThreadNodeOutputRecords<Item> down = Down.GetThreadNodeOutputRecords(1);
    down.Get().id = 100 + input.Get().id;
    down.Get().depth = 0;
    down.OutputComplete();
}

[Shader("node")]
[NodeLaunch("thread")]
[NodeID("Kind", 5)]
void KindFive(ThreadNodeInputRecord<Item> input)
{
    Kinds(input.Get(), 5);
}

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(2, 1, 1)]
[NumThreads(2, 1, 1)]
[NodeID("Far", 3000)]
void Far(DispatchNodeInputRecord<Item> input)
{
    InterlockedAdd(Result[3], input.Get().id);
}

// Reached from Route and, one stage later, from KindTwo; counts down three levels.
[Shader("node")]
[NodeLaunch("thread")]
[NodeMaxRecursionDepth(3)]
void Down(ThreadNodeInputRecord<Item> input, [MaxRecords(2)] [NodeID("Down")] NodeOutput<Item> deeper)
{
    uint left = GetRemainingRecursionLevels();
    InterlockedAdd(Result[8 + left], 1);
    InterlockedAdd(Result[6], input.Get().depth);
    bool more = deeper.IsValid();
    if (more != (left > 0))
    {
        InterlockedAdd(Result[7], 1);
    }
    uint count = more ? 1 + input.Get().id % 2 : 0;
    ThreadNodeOutputRecords<Item> made = deeper.GetThreadNodeOutputRecords(count);
    for (uint i = 0; i < count; i++)
    {
        made.Get(i).id = input.Get().id;
        made.Get(i).depth = input.Get().depth + 1;
    }
    made.OutputComplete();
}

[Shader("node")]
[NodeLaunch("coalescing")]
[NumThreads(1, 1, 1)]
[NodeID("Tick", 0)]
void TickEven([MaxRecords(5)] EmptyNodeInput input)
{
    InterlockedAdd(Result[12], input.Count());
    InterlockedAdd(Result[13], 1);
}

[Shader("node")]
[NodeLaunch("coalescing")]
[NumThreads(32, 1, 1)]
[NodeID("Tick", 1)]
void TickOdd([MaxRecords(3)] EmptyNodeInput input, uint thread : SV_GroupIndex, [MaxRecords(2)] EmptyNodeOutput Last)
{
    if (thread == 0)
    {
        InterlockedAdd(Result[14], input.Count());
    }
    Last.GroupIncrementOutputCount(2);
}

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(3, 1, 1)]
[NumThreads(1, 1, 1)]
void Last(uint3 group : SV_GroupID)
{
    InterlockedAdd(Result[15], 1 + group.x);
}
