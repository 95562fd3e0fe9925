//! host graph.json
// Decisions that the graph does not allow: both ends are named, one of them in the host's file.
struct R { uint x; };
//~ HOST 3 ERROR WG0402
[Shader("node")] [NodeLaunch("thread")] void one(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] void two(ThreadNodeInputRecord<R> i) { }
//~ HOST 4 ERROR WG0413
[Shader("node")] [NodeLaunch("thread")] void shares(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeShareInputOf("one")] void starts(ThreadNodeInputRecord<R> i) { } //~ ERROR WG0414
[Shader("node")] [NodeLaunch("thread")] void root(
    //~ HOST 8 ERROR WG0401
    [MaxRecords(1)] [NodeID("one")] NodeOutput<R> first,
    [MaxRecords(1)] [AllowSparseNodes] NodeOutput<R> absent) { } //~ ERROR WG0401
[Shader("node")] [NodeLaunch("thread")] void sends([MaxRecords(1)] [NodeID("one")] NodeOutput<R> many) { } //~ ERROR WG0324
