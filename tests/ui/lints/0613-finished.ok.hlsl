//! hints
struct [NodeTrackRWInputSharing] R { uint sums[8]; };
RWStructuredBuffer<uint> total : register(u0);

[Shader("node")] [NodeLaunch("thread")]
void start([MaxRecords(3)] NodeOutput<R> sum, [MaxRecordsSharedWith(sum)] NodeOutput<R> all,
           [MaxRecordsSharedWith(sum)] NodeOutput<R> atomics)
{
    ThreadNodeOutputRecords<R> record = sum.GetThreadNodeOutputRecords(1);
    record.OutputComplete();
    ThreadNodeOutputRecords<R> other = all.GetThreadNodeOutputRecords(1);
    other.OutputComplete();
    ThreadNodeOutputRecords<R> third = atomics.GetThreadNodeOutputRecords(1);
    third.OutputComplete();
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(8, 1, 1)] [NumThreads(2, 1, 1)]
void sum(globallycoherent RWDispatchNodeInputRecord<R> input, uint group : SV_GroupID)
{
    input.Get().sums[group] = group;
    Barrier(input, DEVICE_SCOPE | GROUP_SYNC);
    if (input.FinishedCrossGroupSharing())
        total[0] = input.Get().sums[0];
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(8, 1, 1)] [NumThreads(2, 1, 1)]
void all(globallycoherent RWDispatchNodeInputRecord<R> input, uint group : SV_GroupID)
{
    input.Get().sums[group] = group;
    Barrier(ALL_MEMORY, DEVICE_SCOPE);
    if (input.FinishedCrossGroupSharing())
        total[1] = input.Get().sums[0];
}

// A barrier orders atomics, and one that only reads has nothing to show.
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(8, 1, 1)] [NumThreads(2, 1, 1)]
void atomics(globallycoherent RWDispatchNodeInputRecord<R> input)
{
    InterlockedAdd(input.Get().sums[0], 1);
    Barrier(NODE_INPUT_MEMORY, DEVICE_SCOPE);
    if (input.FinishedCrossGroupSharing())
        total[2] = input.Get().sums[0];
}
