//! hints
struct [NodeTrackRWInputSharing] R { uint sums[8]; };
RWStructuredBuffer<uint> total : register(u0);

[Shader("node")] [NodeLaunch("thread")]
void start([MaxRecords(3)] NodeOutput<R> sum, [MaxRecordsSharedWith(sum)] NodeOutput<R> half,
           [MaxRecordsSharedWith(sum)] NodeOutput<R> atomics)
{
    ThreadNodeOutputRecords<R> third = atomics.GetThreadNodeOutputRecords(1);
    third.OutputComplete();
    ThreadNodeOutputRecords<R> record = sum.GetThreadNodeOutputRecords(1);
    record.OutputComplete();
    ThreadNodeOutputRecords<R> other = half.GetThreadNodeOutputRecords(1);
    other.OutputComplete();
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(8, 1, 1)] [NumThreads(2, 1, 1)]
void sum(globallycoherent RWDispatchNodeInputRecord<R> input, uint group : SV_GroupID)
{
    input.Get().sums[group] = group;
    if (input.FinishedCrossGroupSharing()) //~ WARN WG0613
        total[0] = input.Get().sums[0];
}

// A barrier within the group shows nothing to others.
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(8, 1, 1)] [NumThreads(2, 1, 1)]
void half(globallycoherent RWDispatchNodeInputRecord<R> input, uint group : SV_GroupID)
{
    input.Get().sums[group] = group;
    Barrier(NODE_INPUT_MEMORY, GROUP_SCOPE | GROUP_SYNC);
    if (input.FinishedCrossGroupSharing()) //~ WARN WG0613
        total[1] = input.Get().sums[0];
}

// Atomics are seen, but not ordered before the call; in a function, and in an iteration after a barrier.
void add(RWDispatchNodeInputRecord<R> input, uint slot) { InterlockedAdd(input.Get().sums[slot], 1); }

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(8, 1, 1)] [NumThreads(2, 1, 1)]
void atomics(RWDispatchNodeInputRecord<R> input)
{
    for (uint n = 0; n < 4; n++)
    {
        Barrier(NODE_INPUT_MEMORY, DEVICE_SCOPE);
        add(input, n);
    }
    if (input.FinishedCrossGroupSharing()) //~ WARN WG0613
        total[2] = input.Get().sums[0];
}
