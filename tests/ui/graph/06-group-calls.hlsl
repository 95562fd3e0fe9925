// A thread node's group is its one thread: it can make each request of a group as a thread.
struct R { uint x; };
[Shader("node")] [NodeLaunch("thread")]
void sends([MaxRecords(2)] NodeOutput<R> takes, [MaxRecords(2)] EmptyNodeOutput counts)
{
    GroupNodeOutputRecords<R> r = takes.GetGroupNodeOutputRecords(1); //~ WARN WG0226
    r.Get().x = 1;
    r.OutputComplete();
    takes.GetGroupNodeOutputRecords(1).OutputComplete(); //~ WARN WG0226
    counts.GroupIncrementOutputCount(2); //~ WARN WG0226
}
// Also through a function, which others may call as groups.
void count(EmptyNodeOutput o) { o.GroupIncrementOutputCount(1); } //~ WARN WG0226
[Shader("node")] [NodeLaunch("thread")]
void calls([MaxRecords(1)] EmptyNodeOutput counts) { count(counts); }
[Shader("node")] [NodeLaunch("thread")] void takes(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(1, 1, 1)] void counts([MaxRecords(4)] EmptyNodeInput i) { }
