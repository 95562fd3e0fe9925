//! hints
struct R { uint value; };

void send(NodeOutput<R> o)
{
    ThreadNodeOutputRecords<R> record = o.GetThreadNodeOutputRecords(1);
    record.Get().value = 1;
    record.OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")] [NodeMaxRecursionDepth(4)]
void levels(ThreadNodeInputRecord<R> input, [MaxRecords(1)] NodeOutput<R> levels)
{
    bool more = GetRemainingRecursionLevels() > 0;
    ThreadNodeOutputRecords<R> record = levels.GetThreadNodeOutputRecords(more ? 1 : 0);
    if (more)
        record.Get().value = input.Get().value + 1;
    record.OutputComplete();
}

[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(4, 1, 1)] [NodeMaxRecursionDepth(2)]
void valid([MaxRecords(4)] EmptyNodeInput input, [MaxRecords(1)] EmptyNodeOutput valid)
{
    if (valid.IsValid())
        valid.GroupIncrementOutputCount(1);
}

// Its records bound it.
[Shader("node")] [NodeLaunch("thread")] [NodeMaxRecursionDepth(8)]
void bounded(ThreadNodeInputRecord<R> input, [MaxRecords(1)] NodeOutput<R> bounded)
{
    if (input.Get().value >= 8)
        return;
    ThreadNodeOutputRecords<R> record = bounded.GetThreadNodeOutputRecords(1);
    record.Get().value = input.Get().value + 1;
    record.OutputComplete();
}

[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(4, 1, 1)] [NodeMaxRecursionDepth(3)]
void turns([MaxRecords(4)] EmptyNodeInput input, [MaxRecords(2)] EmptyNodeOutput turns)
{
    uint count = turns.IsValid() ? 2 : 0;
    for (uint k = 0; k < count; k++)
        turns.GroupIncrementOutputCount(1);
}

// One path ends.
[Shader("node")] [NodeLaunch("thread")] [NodeMaxRecursionDepth(3)]
void either(ThreadNodeInputRecord<R> input, [MaxRecords(2)] NodeOutput<R> either)
{
    if (input.Get().value > 3)
        send(either);
    else if (input.Get().value == 1)
        send(either);
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(8, 1, 1)] [NodeMaxRecursionDepth(3)]
void firstTwo(DispatchNodeInputRecord<R> input, uint t : SV_GroupIndex, [MaxRecords(8)] NodeOutput<R> firstTwo)
{
    uint count = t < 2 && GetRemainingRecursionLevels() != 0;
    ThreadNodeOutputRecords<R> record = firstTwo.GetThreadNodeOutputRecords(count);
    if (count)
        record.Get().value = t;
    record.OutputComplete();
}

// Levels that are kept in a variable.
[Shader("node")] [NodeLaunch("thread")] [NodeMaxRecursionDepth(3)]
void kept(ThreadNodeInputRecord<R> input, [MaxRecords(1)] NodeOutput<R> kept)
{
    uint levels = GetRemainingRecursionLevels();
    if (input.Get().value > 3)
        levels = min(levels, 1);
    if (levels >= 1)
        send(kept);
}
