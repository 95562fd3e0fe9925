// A number that is read as another one, which is wrong too: one message.
struct R { uint a; };
struct G { uint3 grid : SV_DispatchGrid; };
[Shader("node")] [NodeLaunch("broadcasting")] [NumThreads(4, 1, 1)]
[NodeDispatchGrid(-1, 1, 1)] void grid() { } //~ ERROR WG0305
[Shader("node")] [NodeLaunch("broadcasting")] [NumThreads(4, 1, 1)]
[NodeDispatchGrid(0.5, 1, 1)] void half_a_grid() { } //~ ERROR WG0305
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)]
[NumThreads(-4, 1, 1)] void threads() { } //~ ERROR WG0309
[Shader("node")] [NodeLaunch("thread")]
[NodeMaxRecursionDepth(-1)] void depth(ThreadNodeInputRecord<R> i, [MaxRecords(1)] NodeOutput<R> depth) { } //~ ERROR WG0322
[Shader("node")] [NodeLaunch("broadcasting")] [NumThreads(4, 1, 1)]
[NodeDispatchGrid(4, 4, -1)] void third() { } //~ ERROR WG0305
// The first wrong one is reported, and the other is not lost.
[Shader("node")] [NodeLaunch("broadcasting")] [NumThreads(4, 1, 1)]
[NodeMaxDispatchGrid(70000, -1, 1)] void both(DispatchNodeInputRecord<G> i) { } //~ ERROR WG0305
[Shader("node")] [NodeLaunch("thread")] [NumThreads(-1, 1, 1)] //~ ERROR WG0309
void one(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(4, 1, 1)] [WaveSize(-32)] //~ ERROR WG0328
void waves(
    [MaxRecords(-4)] GroupNodeInputRecords<R> i, //~ ERROR WG0121
    [MaxRecords(1)] [NodeID("depth")] [NodeArraySize(-2)] NodeOutputArray<R> some) { } //~ ERROR WG0320

// Right as it is read.
[Shader("node")] [NodeLaunch("broadcasting")] [NumThreads(4, 1, 1)]
[NodeDispatchGrid(2.5, 1, 1)] void two() { } //~ WARN WG0123
[Shader("node")] [NodeLaunch("thread")]
void open([MaxRecords(1)] [NodeID("depth")] [NodeArraySize(-1)] NodeOutputArray<R> all) { } //~ WARN WG0123
