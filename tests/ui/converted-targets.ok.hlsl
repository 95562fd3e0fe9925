// With these converted numbers, the nodes are there.
struct R { uint x; };
[Shader("node")] [NodeLaunch("thread")] [NodeID("b", 1)]
void b(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")]
void present(
    [MaxRecords(1)] [NodeID("b", 1.5)] NodeOutput<R> one, //~ WARN WG0123
    [MaxRecords(1)] [NodeID("b", -1)] [AllowSparseNodes] NodeOutput<R> last) { } //~ WARN WG0123
[Shader("node")] [NodeLaunch("thread")] [NodeID("ring", 1.25)] //~ WARN WG0123
void there([MaxRecords(1)] [NodeID("back", 2.0)] EmptyNodeOutput o) { } //~ WARN WG0123
[Shader("node")] [NodeLaunch("thread")] [NodeID("back", 2)]
void back() { }
