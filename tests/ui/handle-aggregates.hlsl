// Handles in arrays and structures, and outputs that are chosen when the program runs: one message each.
struct R { uint x; };
struct Holder { ThreadNodeOutputRecords<R> handle; uint n; };
cbuffer Settings { bool Other; };

[Shader("node")] [NodeLaunch("thread")]
void arrays(ThreadNodeInputRecord<R> i, [MaxRecords(2)] NodeOutput<R> sink)
{
    ThreadNodeOutputRecords<R> r[2];
    r[0] = sink.GetThreadNodeOutputRecords(1);
    r[1] = sink.GetThreadNodeOutputRecords(1);
    r[0].Get().x = 1;
    r[0].OutputComplete();
    r[1].OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")]
void structures(ThreadNodeInputRecord<R> i, [MaxRecords(2)] NodeOutput<R> sink)
{
    Holder h;
    h.handle = sink.GetThreadNodeOutputRecords(1);
    h.handle.OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")]
void chosen(
    ThreadNodeInputRecord<R> i, [MaxRecords(2)] NodeOutput<R> sink, [MaxRecords(2)] [NodeID("sink")] NodeOutput<R> other)
{
    NodeOutput<R> o = sink;
    if (Other)
        o = other; //~ ERROR WG0503
    o.GetThreadNodeOutputRecords(1).OutputComplete();
}

// The records may be chosen instead.
[Shader("node")] [NodeLaunch("thread")]
void records(
    ThreadNodeInputRecord<R> i, [MaxRecords(2)] NodeOutput<R> sink, [MaxRecords(2)] [NodeID("sink")] NodeOutput<R> other)
{
    ThreadNodeOutputRecords<R> r;
    if (Other)
        r = other.GetThreadNodeOutputRecords(1);
    else
        r = sink.GetThreadNodeOutputRecords(1);
    r.Get().x = 1;
    r.OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")]
void sink(ThreadNodeInputRecord<R> i) { }
