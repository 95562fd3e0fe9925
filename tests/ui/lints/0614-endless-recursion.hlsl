//! hints
struct R { uint value; };

[Shader("node")] [NodeLaunch("thread")] [NodeMaxRecursionDepth(4)]
void again(ThreadNodeInputRecord<R> input, [MaxRecords(1)] NodeOutput<R> again)
{
    ThreadNodeOutputRecords<R> record = again.GetThreadNodeOutputRecords(1); //~ WARN WG0614
    record.Get().value = input.Get().value + 1;
    record.OutputComplete();
}

[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(4, 1, 1)] [NodeMaxRecursionDepth(2)]
void count([MaxRecords(4)] EmptyNodeInput input, [MaxRecords(1)] EmptyNodeOutput count)
{
    count.GroupIncrementOutputCount(1); //~ WARN WG0614
}
