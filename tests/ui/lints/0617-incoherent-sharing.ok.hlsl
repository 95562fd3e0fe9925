//! hints
struct [NodeTrackRWInputSharing] R { uint sums[4]; uint most; };
RWStructuredBuffer<uint> total : register(u0);

[Shader("node")] [NodeLaunch("thread")]
void start([MaxRecords(4)] NodeOutput<R> sum, [MaxRecordsSharedWith(sum)] NodeOutput<R> atomics,
           [MaxRecordsSharedWith(sum)] NodeOutput<R> other, [MaxRecordsSharedWith(sum)] NodeOutput<R> last)
{
    ThreadNodeOutputRecords<R> first = sum.GetThreadNodeOutputRecords(1);
    first.OutputComplete();
    ThreadNodeOutputRecords<R> second = atomics.GetThreadNodeOutputRecords(1);
    second.OutputComplete();
    ThreadNodeOutputRecords<R> third = other.GetThreadNodeOutputRecords(1);
    third.OutputComplete();
    ThreadNodeOutputRecords<R> fourth = last.GetThreadNodeOutputRecords(1);
    fourth.OutputComplete();
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(4, 1, 1)] [NumThreads(2, 1, 1)]
void sum(globallycoherent RWDispatchNodeInputRecord<R> input, uint group : SV_GroupID)
{
    input.Get().sums[group] = group;
    Barrier(input, DEVICE_SCOPE | GROUP_SYNC);
    if (!input.FinishedCrossGroupSharing())
        return;
    total[0] = input.Get().sums[0];
}

// Atomics are seen.
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(4, 1, 1)] [NumThreads(2, 1, 1)]
void atomics(RWDispatchNodeInputRecord<R> input, uint group : SV_GroupID)
{
    InterlockedMax(input.Get().most, group);
    Barrier(input, DEVICE_SCOPE | GROUP_SYNC);
    if (input.FinishedCrossGroupSharing())
        total[1] = input.Get().most;
}

// The fields that are read are not those that were written.
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(4, 1, 1)] [NumThreads(2, 1, 1)]
void other(RWDispatchNodeInputRecord<R> input, uint group : SV_GroupID)
{
    input.Get().sums[group] = input.Get().sums[group] + 1;
    Barrier(input, DEVICE_SCOPE | GROUP_SYNC);
    if (input.FinishedCrossGroupSharing())
        total[2] = input.Get().most;
}

// The last group reads its own writes.
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(4, 1, 1)] [NumThreads(1, 2, 1)]
void last(RWDispatchNodeInputRecord<R> input)
{
    if (input.FinishedCrossGroupSharing())
    {
        input.Get().most = 3;
        total[3] = input.Get().most;
    }
}
