//! hints
struct [NodeTrackRWInputSharing] R { uint sums[4]; uint most; };
RWStructuredBuffer<uint> total : register(u0);

[Shader("node")] [NodeLaunch("thread")]
void start([MaxRecords(2)] NodeOutput<R> sum, [MaxRecordsSharedWith(sum)] NodeOutput<R> whole)
{
    ThreadNodeOutputRecords<R> record = sum.GetThreadNodeOutputRecords(1);
    record.OutputComplete();
    ThreadNodeOutputRecords<R> other = whole.GetThreadNodeOutputRecords(1);
    other.OutputComplete();
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(4, 1, 1)] [NumThreads(2, 1, 1)]
void sum(RWDispatchNodeInputRecord<R> input, uint group : SV_GroupID)
{
    input.Get().sums[group] = group;
    Barrier(input, DEVICE_SCOPE | GROUP_SYNC);
    if (!input.FinishedCrossGroupSharing()) //~ WARN WG0617
        return;
    total[0] = input.Get().sums[0];
}

// In functions, and the whole record.
void fill(RWDispatchNodeInputRecord<R> input, uint group)
{
    R all = (R)group;
    input.Get() = all;
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(4, 1, 1)] [NumThreads(1, 2, 1)]
void whole(RWDispatchNodeInputRecord<R> input, uint group : SV_GroupID)
{
    if (group == 3)
        fill(input, group);
    Barrier(NODE_INPUT_MEMORY, DEVICE_SCOPE | GROUP_SYNC);
    if (input.FinishedCrossGroupSharing()) //~ WARN WG0617
        total[1] = input.Get().most;
}
