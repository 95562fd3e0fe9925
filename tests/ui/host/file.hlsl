//! host file.json
// Mistakes in the file alone.
//~ HOST 2 ERROR WG0423
//~ HOST 3 ERROR WG0423
//~ HOST 4 ERROR WG0423
//~ HOST 7 ERROR WG0423
//~ HOST 8 ERROR WG0423
//~ HOST 9 ERROR WG0423
//~ HOST 10 ERROR WG0423
//~ HOST 11 ERROR WG0423
//~ HOST 12 ERROR WG0423
//~ HOST 13 ERROR WG0423
//~ HOST 16 ERROR WG0423
//~ HOST 17 ERROR WG0423
//~ HOST 19 ERROR WG0423
//~ HOST 21 ERROR WG0423
struct R { uint x; };
[Shader("node")] [NodeLaunch("thread")] void root([MaxRecords(1)] NodeOutput<R> child, [MaxRecords(1)] [NodeID("child")] NodeOutput<R> other) { }
[Shader("node")] [NodeLaunch("thread")] void child(ThreadNodeInputRecord<R> i) { }
