// Five nodes in a chain, of every launch mode: one segment in a scheduled run.

RWStructuredBuffer<uint> Result : register(u0);

struct Item
{
    uint value;
};

struct Grid
{
    uint groups : SV_DispatchGrid;
    uint value;
};

[Shader("node")]
[NodeLaunch("thread")]
[NodeIsProgramEntry]
void Start(ThreadNodeInputRecord<Item> input, [MaxRecords(1)] NodeOutput<Item> Twice)
{
    ThreadNodeOutputRecords<Item> item = Twice.GetThreadNodeOutputRecords(1);
    item.Get().value = 3 * input.Get().value + 1;
    item.OutputComplete();
}

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(2, 1, 1)]
[NumThreads(1, 1, 1)]
void Twice(DispatchNodeInputRecord<Item> input, uint group : SV_GroupID, [MaxRecords(1)] NodeOutput<Item> Pack)
{
    GroupNodeOutputRecords<Item> item = Pack.GetGroupNodeOutputRecords(1);
    item.Get().value = input.Get().value + group;
    item.OutputComplete();
}

[Shader("node")]
[NodeLaunch("coalescing")]
[NumThreads(16, 1, 1)]
void Pack([MaxRecords(16)] GroupNodeInputRecords<Item> input, uint thread : SV_GroupIndex,
    [MaxRecords(16)] NodeOutput<Grid> Spread)
{
    bool mine = thread < input.Count();
    ThreadNodeOutputRecords<Grid> grid = Spread.GetThreadNodeOutputRecords(mine ? 1 : 0);
    if (mine)
    {
        grid.Get().groups = input[thread].value % 4;
        grid.Get().value = input[thread].value;
    }
    grid.OutputComplete();
}

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeMaxDispatchGrid(3, 1, 1)]
[NumThreads(4, 1, 1)]
void Spread(DispatchNodeInputRecord<Grid> input, uint thread : SV_GroupIndex, uint group : SV_GroupID,
    [MaxRecords(1)] NodeOutput<Item> Sum)
{
    InterlockedAdd(Result[0], thread);
    GroupNodeOutputRecords<Item> item = Sum.GetGroupNodeOutputRecords(1);
    if (thread == 0)
    {
        InterlockedAdd(Result[1], 100 * group);
        item.Get().value = input.Get().value + group;
    }
    item.OutputComplete();
}

[Shader("node")]
[NodeLaunch("thread")]
void Sum(ThreadNodeInputRecord<Item> input)
{
    InterlockedAdd(Result[2], 1);
    InterlockedAdd(Result[3], input.Get().value);
}
