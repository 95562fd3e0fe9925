struct R { uint x; };
[Shader("node")] [NodeLaunch("thread")] void start([MaxRecords(1)] NodeOutput<R> a) { }
[Shader("node")] [NodeLaunch("thread")] void a(ThreadNodeInputRecord<R> i, [MaxRecords(1)] NodeOutput<R> b) { } //~ ERROR WG0405
[Shader("node")] [NodeLaunch("thread")] void b(ThreadNodeInputRecord<R> i, [MaxRecords(1)] NodeOutput<R> c, [MaxRecords(1)] NodeOutput<R> end) { }
[Shader("node")] [NodeLaunch("thread")] void c(ThreadNodeInputRecord<R> i, [MaxRecords(1)] NodeOutput<R> a) { }
// Nodes after a cycle are in none.
[Shader("node")] [NodeLaunch("thread")] void end(ThreadNodeInputRecord<R> i, [MaxRecords(1)] NodeOutput<R> last) { }
[Shader("node")] [NodeLaunch("thread")] void last(ThreadNodeInputRecord<R> i) { }
// A cycle of its own, through an array.
[Shader("node")] [NodeLaunch("thread")] [NodeID("p", 1)] void p(ThreadNodeInputRecord<R> i, [MaxRecords(1)] NodeOutput<R> q) { } //~ ERROR WG0405
[Shader("node")] [NodeLaunch("thread")] void q(ThreadNodeInputRecord<R> i, [MaxRecords(1)] [UnboundedSparseNodes] NodeOutputArray<R> p) { }
