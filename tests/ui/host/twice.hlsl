//! host twice.json
// One node by two of its names, a name that is nearly one, and a budget that the host gives.
struct R { uint x; };
[Shader("node")] [NodeLaunch("thread")] [NodeID("part", 1)] void first(ThreadNodeInputRecord<R> i) { }
//~ HOST 4 ERROR WG0424
//~ HOST 5 ERROR WG0424
