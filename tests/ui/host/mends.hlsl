//! host mends.json
// Properties that only the host gives are not missing, and properties that the host removes are no mistakes.
struct R { uint x; };
[Shader("node")] [NumThreads(8, 1, 1)] void no_grid(DispatchNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeID("tile")] void tile_0(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeID("tile")] void tile_1(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeShareInputOf("nobody")] void alone(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] void root(
    NodeOutput<R> no_grid,
    [NodeID("tile")] NodeOutput<R> shares,
    [MaxRecords(1)] NodeOutput<R> wrong,
    [MaxRecords(9)] [NodeID("tile")] NodeOutput<R> many,
    [MaxRecords(1)] NodeOutput<R> absent) { }
