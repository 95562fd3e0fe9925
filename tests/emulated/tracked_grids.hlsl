// Records that more workgroups share than 16 bits can count, and the one of these that comes last.

RWStructuredBuffer<uint> Result : register(u0);

struct Entry
{
    uint id;
};

struct [NodeTrackRWInputSharing] Tally
{
    uint id;
    uint sum;
};

[Shader("node")]
[NodeLaunch("thread")]
[NodeIsProgramEntry]
void Start(ThreadNodeInputRecord<Entry> input, [MaxRecords(1)] NodeOutput<Tally> Count)
{
    ThreadNodeOutputRecords<Tally> made = Count.GetThreadNodeOutputRecords(1);
    made.Get().id = input.Get().id;
    made.Get().sum = 0;
    made.OutputComplete();
}

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(300, 230, 1)]
[NumThreads(1, 1, 1)]
void Count(globallycoherent RWDispatchNodeInputRecord<Tally> input, uint3 group : SV_GroupID)
{
    InterlockedAdd(input.Get().sum, group.x ^ (group.y + input.Get().id));
    Barrier(NODE_INPUT_MEMORY, DEVICE_SCOPE | GROUP_SYNC);
    if (input.FinishedCrossGroupSharing())
    {
        InterlockedAdd(Result[0], 1);
        InterlockedAdd(Result[1], input.Get().id);
        InterlockedXor(Result[2], input.Get().sum * (2 * input.Get().id + 1));
    }
}
