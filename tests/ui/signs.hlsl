// A number that is read as another one, which is wrong too: one message.
struct R { uint a; };
[Shader("node")] [NodeLaunch("broadcasting")] [NumThreads(4, 1, 1)]
[NodeDispatchGrid(-1, 1, 1)] void grid() { } //~ ERROR WG0305
[Shader("node")] [NodeLaunch("broadcasting")] [NumThreads(4, 1, 1)]
[NodeDispatchGrid(0.5, 1, 1)] void half_a_grid() { } //~ ERROR WG0305
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)]
[NumThreads(-4, 1, 1)] void threads() { } //~ ERROR WG0309
[Shader("node")] [NodeLaunch("thread")]
[NodeMaxRecursionDepth(-1)] void depth(ThreadNodeInputRecord<R> i, [MaxRecords(1)] NodeOutput<R> depth) { } //~ ERROR WG0322

// Right as it is read.
[Shader("node")] [NodeLaunch("broadcasting")] [NumThreads(4, 1, 1)]
[NodeDispatchGrid(2.5, 1, 1)] void two() { } //~ WARN WG0123
