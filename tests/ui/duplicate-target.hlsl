// A node with the index of another is missing at its own: one message. Other missing nodes get their own messages.
struct R { uint x; };
[Shader("node")] [NodeLaunch("thread")]
void root(
    ThreadNodeInputRecord<R> i,
    [MaxRecords(1)] [NodeID("Shade")] [NodeArraySize(3)] NodeOutputArray<R> shade,
    [MaxRecords(1)] [NodeID("Trace")] [NodeArraySize(4)] NodeOutputArray<R> trace, //~ ERROR WG0401
    [MaxRecords(1)] NodeOutput<R> leaf) { }

[Shader("node")] [NodeLaunch("thread")] [NodeID("Shade", 0)] void shade0(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeID("Shade", 2)] void shade1(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeID("Shade", 2)] void shade2(ThreadNodeInputRecord<R> i) { } //~ ERROR WG0402

[Shader("node")] [NodeLaunch("thread")] [NodeID("Trace", 0)] void trace0(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeID("Trace", 0)] void trace1(ThreadNodeInputRecord<R> i) { } //~ ERROR WG0402

// Nothing is missing here.
[Shader("node")] [NodeLaunch("thread")] [NodeID("leaf")] void leaf0(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeID("leaf")] void leaf1(ThreadNodeInputRecord<R> i) { } //~ ERROR WG0402
