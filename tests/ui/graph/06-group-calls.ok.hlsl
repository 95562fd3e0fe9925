struct R { uint x; };
[Shader("node")] [NodeLaunch("thread")]
void sends([MaxRecords(1)] NodeOutput<R> takes, [MaxRecords(2)] EmptyNodeOutput counts)
{
    ThreadNodeOutputRecords<R> r = takes.GetThreadNodeOutputRecords(1);
    r.Get().x = 1;
    r.OutputComplete();
    counts.ThreadIncrementOutputCount(2);
}
// A group of one thread that is a group.
void count(EmptyNodeOutput o) { o.GroupIncrementOutputCount(1); }
[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(1, 1, 1)]
void groups([MaxRecords(1)] NodeOutput<R> takes, [MaxRecords(1)] EmptyNodeOutput counts)
{
    GroupNodeOutputRecords<R> r = takes.GetGroupNodeOutputRecords(1);
    r.Get().x = 1;
    r.OutputComplete();
    count(counts);
}
[Shader("node")] [NodeLaunch("thread")] void takes(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(1, 1, 1)] void counts([MaxRecords(4)] EmptyNodeInput i) { }
