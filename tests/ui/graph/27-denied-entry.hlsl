//! host 27-denied-entry.json
struct R { uint x; };
//~ HOST 1 ERROR WG0417
[Shader("node")] [NodeLaunch("thread")] void root([MaxRecords(1)] NodeOutput<R> child) { }
[Shader("node")] [NodeLaunch("thread")] void child(ThreadNodeInputRecord<R> i) { }
