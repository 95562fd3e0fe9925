//! host brackets.json
// Names that end like an index, and short ones.
struct R { uint x; };
//~ HOST 3 ERROR WG0424
[Shader("node")] [NodeLaunch("thread")] [NodeID("tile[1]")] void tiled([MaxRecords(1)] NodeOutput<R> A) { }
[Shader("node")] [NodeLaunch("thread")] [NodeID("tile[1]", 2)] void second() { }
//~ HOST 5 ERROR WG0424
[Shader("node")] [NodeLaunch("thread")] void A(ThreadNodeInputRecord<R> i) { }
