// Records that a whole grid writes to, and the group that comes last; records that a coalescing group rewrites.

RWStructuredBuffer<uint> Result : register(u0);

struct Entry
{
    uint id;
};

struct [NodeTrackRWInputSharing] Tally
{
    uint16_t id;
    uint16_t scale;
    uint sum;
    uint16_t groups;
};

struct Pair
{
    uint value;
    uint other;
};

[Shader("node")]
[NodeLaunch("thread")]
[NodeIsProgramEntry]
void Start(ThreadNodeInputRecord<Entry> input, [MaxRecords(2)] NodeOutput<Tally> Count)
{
    ThreadNodeOutputRecords<Tally> made = Count.GetThreadNodeOutputRecords(2);
    for (uint i = 0; i < 2; i++)
    {
        made.Get(i).id = (uint16_t)input.Get().id;
        made.Get(i).scale = (uint16_t)(i + 1);
        made.Get(i).sum = 0;
    }
    made.OutputComplete();
}

// 3 x 2 groups of 8 threads add their place in the grid, times the record's scale; the last group passes the sum on.
[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(3, 2, 1)]
[NumThreads(8, 1, 1)]
void Count(globallycoherent RWDispatchNodeInputRecord<Tally> input, uint3 at : SV_DispatchThreadID, uint thread : SV_GroupIndex,
    [MaxRecords(1)] NodeOutput<Pair> Rewrite)
{
    InterlockedAdd(input.Get().sum, (at.x + 100 * at.y) * input.Get().scale);
    Barrier(NODE_INPUT_MEMORY, DEVICE_SCOPE | GROUP_SYNC);
    bool last = input.FinishedCrossGroupSharing();
    GroupNodeOutputRecords<Pair> pair = Rewrite.GetGroupNodeOutputRecords(last ? 1 : 0);
    if (last && thread == 0)
    {
        InterlockedAdd(Result[0], 1);
        pair.Get().value = input.Get().sum;
        pair.Get().other = input.Get().id;
    }
    pair.OutputComplete();
}

// Each thread swaps the members of one record; then the first thread reads them all.
[Shader("node")]
[NodeLaunch("coalescing")]
[NumThreads(4, 1, 1)]
void Rewrite([MaxRecords(4)] RWGroupNodeInputRecords<Pair> input, uint thread : SV_GroupIndex)
{
    if (thread < input.Count())
    {
        uint value = input.Get(thread).value;
        input.Get(thread).value = input.Get(thread).other;
        input.Get(thread).other = value;
    }
    Barrier(NODE_INPUT_MEMORY, GROUP_SYNC | GROUP_SCOPE);
    if (thread == 0)
    {
        for (uint i = 0; i < input.Count(); i++)
        {
            InterlockedAdd(Result[1], input.Get(i).value);
            InterlockedAdd(Result[2], input.Get(i).other);
        }
    }
}
