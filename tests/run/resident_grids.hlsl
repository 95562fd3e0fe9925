// Workgroups of four threads whose grids are in records. In a resident workgroup eight of them share a subgroup, and each has
// to find its own record.
RWStructuredBuffer<uint> Sums;

struct Work
{
    uint2 grid : SV_DispatchGrid;
    uint value;
};

[Shader("node")]
[NodeLaunch("broadcasting")]
[NumThreads(4, 1, 1)]
[NodeMaxDispatchGrid(4, 3, 1)]
void Entry(DispatchNodeInputRecord<Work> input, uint3 group : SV_GroupID, uint thread : SV_GroupIndex,
           [MaxRecords(1)] NodeOutput<Work> Next)
{
    uint value = input.Get().value;
    InterlockedAdd(Sums[0], value * (1 + group.x + 10 * group.y));
    ThreadNodeOutputRecords<Work> sent = Next.GetThreadNodeOutputRecords(thread == 0 ? 1 : 0);
    if (thread == 0)
    {
        sent.Get().grid = uint2(1 + group.x % 2, 1);
        sent.Get().value = value + group.x;
    }
    sent.OutputComplete();
}

[Shader("node")]
[NodeLaunch("broadcasting")]
[NumThreads(2, 1, 1)]
[NodeMaxDispatchGrid(2, 1, 1)]
void Next(DispatchNodeInputRecord<Work> input, uint3 group : SV_GroupID)
{
    InterlockedAdd(Sums[1], input.Get().value * (1 + 100 * group.x));
}
