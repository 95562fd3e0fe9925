// Handles to records along control-flow paths.
struct R { uint x; };

cbuffer Settings { uint Count; bool Extra; };

void fill(ThreadNodeOutputRecords<R> r, uint x) { r.Get().x = x; }
void finish(inout ThreadNodeOutputRecords<R> r) { r.OutputComplete(); }
void finishCopy(ThreadNodeOutputRecords<R> r) { r.OutputComplete(); }
ThreadNodeOutputRecords<R> make(NodeOutput<R> o, uint n) { return o.GetThreadNodeOutputRecords(n); }
void lose(NodeOutput<R> o) {
    ThreadNodeOutputRecords<R> r = o.GetThreadNodeOutputRecords(1); //~ ERROR WG0340
    r.Get().x = 4;
}

[Shader("node")] [NodeLaunch("thread")]
void never(ThreadNodeInputRecord<R> i, [MaxRecords(4)] NodeOutput<R> sink)
{
    ThreadNodeOutputRecords<R> r = sink.GetThreadNodeOutputRecords(1); //~ ERROR WG0340
    r.Get().x = i.Get().x;
    lose(sink);
}

[Shader("node")] [NodeLaunch("thread")]
void overwritten(ThreadNodeInputRecord<R> i, [MaxRecords(4)] NodeOutput<R> sink)
{
    lose(sink);
    ThreadNodeOutputRecords<R> r = make(sink, 1); //~ ERROR WG0340
    r = sink.GetThreadNodeOutputRecords(1);
    finish(r);
}

[Shader("node")] [NodeLaunch("thread")]
void branch(ThreadNodeInputRecord<R> i, [MaxRecords(4)] NodeOutput<R> sink)
{
    ThreadNodeOutputRecords<R> r = sink.GetThreadNodeOutputRecords(1); //~ WARN WG0341
    if (i.Get().x > 3) {
        r.Get().x = 1;
        r.OutputComplete();
    }
}

[Shader("node")] [NodeLaunch("thread")]
void early(ThreadNodeInputRecord<R> i, [MaxRecords(4)] NodeOutput<R> sink)
{
    ThreadNodeOutputRecords<R> r = sink.GetThreadNodeOutputRecords(1); //~ WARN WG0341
    if (i.Get().x == 0)
        return;
    r.Get().x = 1;
    r.OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")]
void chosen(ThreadNodeInputRecord<R> i, [MaxRecords(4)] NodeOutput<R> sink)
{
    ThreadNodeOutputRecords<R> r = sink.GetThreadNodeOutputRecords(1); //~ WARN WG0341
    switch (i.Get().x) {
    case 0: r.OutputComplete(); break;
    case 1: finish(r); break;
    case 2: break;
    default: finishCopy(r); break;
    }
}

[Shader("node")] [NodeLaunch("thread")]
void turns(ThreadNodeInputRecord<R> i, [MaxRecords(4)] NodeOutput<R> sink)
{
    ThreadNodeOutputRecords<R> r;
    for (uint n = 0; n < Count; ++n) {
        r = sink.GetThreadNodeOutputRecords(1); //~ WARN WG0341
        r.Get().x = n;
    }
    r.OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")]
void after(ThreadNodeInputRecord<R> i, [MaxRecords(4)] NodeOutput<R> sink)
{
    ThreadNodeOutputRecords<R> r = sink.GetThreadNodeOutputRecords(1);
    r.OutputComplete();
    r.Get().x = 1; //~ ERROR WG0342
    r.Get().x = 2;
}

void late(ThreadNodeOutputRecords<R> r) {
    r.Get().x = 3; //~ ERROR WG0342
}

[Shader("node")] [NodeLaunch("thread")]
void afterBoth(ThreadNodeInputRecord<R> i, [MaxRecords(4)] NodeOutput<R> sink)
{
    ThreadNodeOutputRecords<R> r = sink.GetThreadNodeOutputRecords(1);
    if (i.Get().x > 3)
        finish(r);
    else
        r.OutputComplete();
    late(r);
}

[Shader("node")] [NodeLaunch("thread")]
void stale(ThreadNodeInputRecord<R> i, [MaxRecords(4)] NodeOutput<R> sink)
{
    ThreadNodeOutputRecords<R> r = sink.GetThreadNodeOutputRecords(1);
    ThreadNodeOutputRecords<R> copy = r;
    r.OutputComplete();
    copy.Get().x = 1; //~ ERROR WG0342
}

[Shader("node")] [NodeLaunch("thread")]
void twice(ThreadNodeInputRecord<R> i, [MaxRecords(4)] NodeOutput<R> sink)
{
    ThreadNodeOutputRecords<R> r = sink.GetThreadNodeOutputRecords(1);
    finishCopy(r);
    r.OutputComplete(); //~ ERROR WG0343
}

[Shader("node")] [NodeLaunch("thread")]
void nothing(ThreadNodeInputRecord<R> i, [MaxRecords(4)] NodeOutput<R> sink)
{
    ThreadNodeOutputRecords<R> r;
    r.Get().x = 1; //~ ERROR WG0344
}

// ---- near misses

[Shader("node")] [NodeLaunch("thread")]
void bothBranches(ThreadNodeInputRecord<R> i, [MaxRecords(4)] NodeOutput<R> sink)
{
    ThreadNodeOutputRecords<R> r = sink.GetThreadNodeOutputRecords(1);
    if (i.Get().x > 3) {
        r.Get().x = 1;
        r.OutputComplete();
    } else {
        finish(r);
    }
    r.OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")]
void eachTurn(ThreadNodeInputRecord<R> i, [MaxRecords(4)] NodeOutput<R> sink)
{
    for (uint n = 0; n < Count; ++n) {
        ThreadNodeOutputRecords<R> r = make(sink, 1);
        fill(r, n);
        if (n == i.Get().x) {
            r.OutputComplete();
            continue;
        }
        finish(r);
    }
}

// Both conditions hold together.
[Shader("node")] [NodeLaunch("thread")]
void together(ThreadNodeInputRecord<R> i, [MaxRecords(4)] NodeOutput<R> sink)
{
    ThreadNodeOutputRecords<R> r;
    const bool sends = i.Get().x != 7;
    if (sends)
        r = sink.GetThreadNodeOutputRecords(1);
    uint x = i.Get().x * 2;
    if (sends) {
        r.Get().x = x;
        r.OutputComplete();
    }
}

[Shader("node")] [NodeLaunch("thread")]
void optional(ThreadNodeInputRecord<R> i, [MaxRecords(4)] NodeOutput<R> sink)
{
    if (i.Get().x == 0)
        return;
    ThreadNodeOutputRecords<R> r = sink.GetThreadNodeOutputRecords(Extra ? 2 : 1);
    if (Extra)
        r.Get(1).x = 2;
    for (uint n = 0; ; ++n) {
        r.Get().x = n;
        if (n == Count) {
            r.OutputComplete();
            return;
        }
    }
}

// The last one that is requested is completed after the loop, the others in it.
[Shader("node")] [NodeLaunch("thread")]
void rolling(ThreadNodeInputRecord<R> i, [MaxRecords(4)] NodeOutput<R> sink)
{
    ThreadNodeOutputRecords<R> last;
    for (uint n = 0; n < Count; ++n) {
        last.OutputComplete();
        last = sink.GetThreadNodeOutputRecords(1);
        last.Get().x = n;
    }
    last.OutputComplete();
}

// A variable that was emptied may be filled again.
[Shader("node")] [NodeLaunch("thread")]
void again(ThreadNodeInputRecord<R> i, [MaxRecords(4)] NodeOutput<R> sink)
{
    ThreadNodeOutputRecords<R> r = sink.GetThreadNodeOutputRecords(1);
    finish(r);
    r = sink.GetThreadNodeOutputRecords(1);
    r.Get().x = 1;
    finishCopy(r);
}

// Barriers for records, also with a handle that is completed or empty.
#define GROUP [Shader("node")] [NodeLaunch("coalescing")] [NumThreads(4, 1, 1)] void

GROUP ordered([MaxRecords(4)] NodeOutput<R> sink)
{
    GroupNodeOutputRecords<R> r = sink.GetGroupNodeOutputRecords(1);
    r.Get().x = 1;
    Barrier(r, GROUP_SCOPE | GROUP_SYNC);
    r.OutputComplete();
}

GROUP orderedLate([MaxRecords(4)] NodeOutput<R> sink)
{
    GroupNodeOutputRecords<R> r = sink.GetGroupNodeOutputRecords(1);
    r.Get().x = 1;
    r.OutputComplete();
    Barrier(r, GROUP_SCOPE); //~ ERROR WG0342
}

GROUP orderedNothing([MaxRecords(4)] NodeOutput<R> sink)
{
    GroupNodeOutputRecords<R> r;
    Barrier(r, GROUP_SCOPE); //~ ERROR WG0344
}

// Variables for outputs are empty at the start, too.
GROUP noOutputs([MaxRecords(4)] NodeOutput<R> sink)
{
    NodeOutput<R> taken;
    taken = sink;
    taken.GetGroupNodeOutputRecords(1).OutputComplete();
    EmptyNodeOutput nothing;
    nothing.GroupIncrementOutputCount(1); //~ ERROR WG0344
}

[Shader("node")] [NodeLaunch("thread")]
void sink(ThreadNodeInputRecord<R> i) { }
