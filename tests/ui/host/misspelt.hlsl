//! host misspelt.json
// The entry that a list misspells is not left out, too.
struct R { uint x; };
//~ HOST 1 ERROR WG0417
[Shader("node")] [NodeLaunch("thread")] void root(ThreadNodeInputRecord<R> i, [MaxRecords(1)] NodeOutput<R> leaf) { }
[Shader("node")] [NodeLaunch("thread")] void other(ThreadNodeInputRecord<R> i) { } //~ ERROR WG0417
[Shader("node")] [NodeLaunch("thread")] void leaf(ThreadNodeInputRecord<R> i) { }
