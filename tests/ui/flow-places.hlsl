// Numbers that functions receive: the node's call is wrong.
struct R { uint x; };
cbuffer Settings { uint Count; };

void put(ThreadNodeOutputRecords<R> r, uint n) { r.Get(n).x = 1; }
void fill(ThreadNodeOutputRecords<R> r)
{
    for (uint n = 0; n < 4; n++)
        put(r, n);
}
uint first(GroupNodeInputRecords<R> i, uint n) { return i.Get(n).x; }
void two(NodeOutput<R> o)
{
    o.GetThreadNodeOutputRecords(1).OutputComplete();
    o.GetThreadNodeOutputRecords(1).OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")]
void indexes([MaxRecords(2)] [NodeID("sink")] NodeOutput<R> o)
{
    ThreadNodeOutputRecords<R> r = o.GetThreadNodeOutputRecords(2);
    put(r, 1);
    put(r, 2); //~ WARN WG0349
    fill(r); //~ WARN WG0349
    r.OutputComplete();
}

// Each node with such a call is reported.
[Shader("node")] [NodeLaunch("thread")]
void more([MaxRecords(3)] [NodeID("sink")] NodeOutput<R> o)
{
    ThreadNodeOutputRecords<R> r = o.GetThreadNodeOutputRecords(3);
    fill(r); //~ WARN WG0349
    r.OutputComplete();
}

[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(4, 1, 1)]
void inputs([MaxRecords(4)] GroupNodeInputRecords<R> i)
{
    uint x = first(i, 3) + first(i, 4); //~ WARN WG0349
}

[Shader("node")] [NodeLaunch("thread")]
void requests([MaxRecords(1)] [NodeID("sink")] NodeOutput<R> o)
{
    two(o); //~ WARN WG0348
}

// ---- near misses

[Shader("node")] [NodeLaunch("thread")]
void fits([MaxRecords(6)] [NodeID("sink")] NodeOutput<R> o)
{
    ThreadNodeOutputRecords<R> r = o.GetThreadNodeOutputRecords(4);
    fill(r);
    r.OutputComplete();
    two(o);
}

[Shader("node")] [NodeLaunch("thread")] void sink(ThreadNodeInputRecord<R> i) { }
