// Several inputs for several nodes, which the device reads and counts: a node with two inputs of records, dynamic grids,
// empty records, and inputs without any.

RWStructuredBuffer<uint> Out : register(u0);

struct Item
{
    uint value;
};

struct Rectangle
{
    uint3 grid : SV_DispatchGrid;
    uint weight;
};

[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry]
void Items(ThreadNodeInputRecord<Item> input, [MaxRecords(1)] NodeOutput<Item> Odd)
{
    uint value = input.Get().value;
    InterlockedAdd(Out[0], value);
    InterlockedAdd(Out[1], 1);
    ThreadNodeOutputRecords<Item> odd = Odd.GetThreadNodeOutputRecords(value & 1);
    if (value & 1)
    {
        odd.Get().value = value;
    }
    odd.OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")]
void Odd(ThreadNodeInputRecord<Item> input)
{
    InterlockedAdd(Out[2], input.Get().value);
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(16, 16, 1)] [NumThreads(8, 1, 1)]
void Area(DispatchNodeInputRecord<Rectangle> input)
{
    InterlockedAdd(Out[3], input.Get().weight);
}

[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(32, 1, 1)]
void Tick([MaxRecords(32)] EmptyNodeInput input, uint thread : SV_GroupIndex)
{
    if (thread == 0)
    {
        InterlockedAdd(Out[4], input.Count());
    }
}
