//! host bracket-entries.json
// Names that end like an index, and short ones, in a list of entries.
struct R { uint x; };
//~ HOST 4 ERROR WG0417
[Shader("node")] [NodeLaunch("thread")] [NodeID("tile[1]")] void tiled([MaxRecords(1)] NodeOutput<R> A) { }
[Shader("node")] [NodeLaunch("thread")] [NodeID("tile[1]", 2)] void second() { }
//~ HOST 5 ERROR WG0417
//~ HOST 6 ERROR WG0417
[Shader("node")] [NodeLaunch("thread")] void A(ThreadNodeInputRecord<R> i) { }
