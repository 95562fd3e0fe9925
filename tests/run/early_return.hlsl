// Threads that have no record return before the barriers at which the others meet. Microsoft's first sample does this,
// and every device has to run it, though the specification does not promise it.

RWStructuredBuffer<uint> Bins : register(u0);

struct Items
{
    uint count;
};

struct Item
{
    uint bin;
};

groupshared uint g_bins[4];

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(32, 1, 1)]
void Produce(
    DispatchNodeInputRecord<Items> input,
    uint thread : SV_GroupIndex,
    [MaxRecords(32)] NodeOutput<Item> Count)
{
    bool sends = thread < input.Get().count;
    ThreadNodeOutputRecords<Item> item = Count.GetThreadNodeOutputRecords(sends ? 1 : 0);
    if (sends)
        item.Get().bin = thread % 3;
    item.OutputComplete();
}

[Shader("node")]
[NodeLaunch("coalescing")]
[NumThreads(32, 1, 1)]
void Count([MaxRecords(32)] GroupNodeInputRecords<Item> input, uint thread : SV_GroupIndex)
{
    if (thread >= input.Count())
    {
        if (thread == 31)
            InterlockedAdd(Bins[3], 1);
        return;
    }
    if (thread == 0)
    {
        for (uint i = 0; i < 4; ++i)
            g_bins[i] = 0;
    }
    GroupMemoryBarrierWithGroupSync();
    InterlockedAdd(g_bins[input[thread].bin], 1);
    GroupMemoryBarrierWithGroupSync();
    if (thread > 0)
        return;
    for (uint bin = 0; bin < 3; ++bin)
        InterlockedAdd(Bins[bin], g_bins[bin]);
}
