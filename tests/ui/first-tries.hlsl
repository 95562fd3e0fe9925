// Mistakes of somebody who has read about work graphs once: each is reported once, with the correct form.
struct R { uint a; };
struct S { float2 p; };
struct T { uint a; Texture2D<float4> t; };

[Shader("node")]
[NodeLaunchMode("thread")] //~ ERROR WG0119
void launch(ThreadNodeInputRecord<R> i, [MaxRecords(1)] [NodeID("end")] NodeOutput<R> next)
{
    next.GetThreadNodeOutputRecords(1).OutputComplete();
}
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)]
[NumThread(8, 1, 1)] //~ ERROR WG0119
void threads(DispatchNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("broadcasting")] [NumThreads(8, 1, 1)]
[NodeDispatchGird(1, 1, 1)] //~ ERROR WG0119
void grid(DispatchNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")]
[NodeMaxRecursionDeph(4)] //~ ERROR WG0119
void again(ThreadNodeInputRecord<R> i, [MaxRecords(1)] NodeOutput<R> again) { }
// Nothing is missing here: only a warning.
[Shader("node")] [NodeLaunch("thread")] [NumThread(1, 1, 1)] //~ WARN WG0119
void fine(ThreadNodeInputRecord<R> i) { }

[Shader(node)] //~ ERROR WG0121
[NodeLaunch("thread")]
void bare(ThreadNodeInputRecord<R> i) { }
[Shader('node')] //~ ERROR WG0121
[NodeLaunch("thread")]
void quoted(ThreadNodeInputRecord<R> i) { }
[Shader("node")]
[NodeLaunch(thread)] //~ ERROR WG0121
void unquoted(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)]
[NumThreads(64)] //~ ERROR WG0121
void one(DispatchNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")]
void none(ThreadNodeInputRecord<R> i, [MaxRecords] [NodeID("end")] NodeOutput<R> next) { } //~ ERROR WG0121

[Shader("compute")]
[NodeLaunch("broadcasting")] //~ ERROR WG0335
[NumThreads(8, 1, 1)]
[NodeDispatchGrid(1, 1, 1)]
void compute(DispatchNodeInputRecord<R> i) { }

[Shdaer("node")]
[NodeLaunch("thread")]
void shader(ThreadNodeInputRecord<R> i) { } //~^^ WARN WG0335

[Shader("node")] [NodeLaunch("thread")]
uint value(ThreadNodeInputRecord<R> i) { return i.Get().a; } //~ ERROR WG0302
[Shader("node")] [NodeLaunch("thread")]
void texture(ThreadNodeInputRecord<T> i) { } //~ ERROR WG0316
[Shader("node")] [NodeLaunch("thread")]
void empty(ThreadNodeInputRecord<R> i, [MaxRecords(1)] [NodeID("count")] EmptyNodeOutput next)
{
    next.GetThreadNodeOutputRecords(1).OutputComplete(); //~ ERROR WG0204
}
[Shader("node")] [NodeLaunch("thread")]
void data(ThreadNodeInputRecord<R> i, [MaxRecords(1)] [NodeID("end")] NodeOutput<R> next)
{
    next.ThreadIncrementOutputCount(1); //~ ERROR WG0204
}
[Shader("node")] [NodeLaunch("thread")]
void barrier(ThreadNodeInputRecord<R> i)
{
    GroupMemoryBarrierWithGroupSync(); //~ ERROR WG0226
}

[Shader("node")] [NodeLaunch("thread")] void end(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(1, 1, 1)] void count([MaxRecords(8)] EmptyNodeInput i) { }
