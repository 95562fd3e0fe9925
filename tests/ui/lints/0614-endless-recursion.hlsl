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

[Shader("node")] [NodeLaunch("thread")] [NodeMaxRecursionDepth(3)]
void turns(ThreadNodeInputRecord<R> input, [MaxRecords(2)] NodeOutput<R> turns)
{
    for (uint k = 0; k < 2; k++) {
        ThreadNodeOutputRecords<R> record = turns.GetThreadNodeOutputRecords(1); //~ WARN WG0614 HINT WG0610
        record.Get().value = k;
        record.OutputComplete();
    }
}

[Shader("node")] [NodeLaunch("thread")] [NodeMaxRecursionDepth(3)]
void either(ThreadNodeInputRecord<R> input, [MaxRecords(2)] NodeOutput<R> either)
{
    if (input.Get().value > 3) {
        ThreadNodeOutputRecords<R> record = either.GetThreadNodeOutputRecords(1); //~ WARN WG0614
        record.Get().value = 1;
        record.OutputComplete();
    } else {
        ThreadNodeOutputRecords<R> record = either.GetThreadNodeOutputRecords(2);
        record.Get(1).value = 2;
        record.OutputComplete();
    }
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(8, 1, 1)] [NodeMaxRecursionDepth(3)]
void firstTwo(DispatchNodeInputRecord<R> input, uint t : SV_GroupIndex, [MaxRecords(8)] NodeOutput<R> firstTwo)
{
    ThreadNodeOutputRecords<R> record = firstTwo.GetThreadNodeOutputRecords(t < 2); //~ WARN WG0614
    if (t < 2)
        record.Get().value = t;
    record.OutputComplete();
}

// It is asked, and the answer decides about something else.
[Shader("node")] [NodeLaunch("thread")] [NodeMaxRecursionDepth(3)]
void named(ThreadNodeInputRecord<R> input, [MaxRecords(1)] NodeOutput<R> named)
{
    uint value = 0;
    if (named.IsValid())
        value = input.Get().value;
    ThreadNodeOutputRecords<R> record = named.GetThreadNodeOutputRecords(1); //~ WARN WG0614
    record.Get().value = value;
    record.OutputComplete();
}
