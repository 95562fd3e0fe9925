//! host listed.json
// A list of entries by identities that the same file replaces, and a node that its outputs leave.
struct R { uint x; };
//~ HOST 2 ERROR WG0417
[Shader("node")] [NodeLaunch("thread")] void root(ThreadNodeInputRecord<R> i, [MaxRecords(1)] NodeOutput<R> leaf) { }
[Shader("node")] [NodeLaunch("thread")] [NodeID("Shade", 1)] void shade1(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] void leaf(ThreadNodeInputRecord<R> i) { } //~ ERROR WG0417
[Shader("node")] [NodeLaunch("thread")] void other(ThreadNodeInputRecord<R> i) { }
