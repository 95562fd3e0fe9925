//! hints
struct R { uint value; };

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
