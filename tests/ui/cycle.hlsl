// A cycle of three nodes, and a node that leads into it.
struct R { uint x; };
[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry]
void start([MaxRecords(1)] NodeOutput<R> b) { }
[Shader("node")] [NodeLaunch("thread")]
void a(ThreadNodeInputRecord<R> i, [MaxRecords(1)] NodeOutput<R> b) { } //~ ERROR WG0405
[Shader("node")] [NodeLaunch("thread")]
void b(ThreadNodeInputRecord<R> i, [MaxRecords(1)] NodeOutput<R> c) { }
[Shader("node")] [NodeLaunch("thread")]
void c(ThreadNodeInputRecord<R> i, [MaxRecords(1)] NodeOutput<R> a, [MaxRecords(1)] NodeOutput<R> leaf) { }
[Shader("node")] [NodeLaunch("thread")]
void leaf(ThreadNodeInputRecord<R> i) { }
