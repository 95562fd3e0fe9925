struct R { uint x; };
[Shader("node")] [NodeLaunch("thread")] void no_depth(ThreadNodeInputRecord<R> i, [MaxRecords(1)] NodeOutput<R> no_depth) { } //~ ERROR WG0406
[Shader("node")] [NodeLaunch("thread")] [NodeMaxRecursionDepth(0)] //~ ERROR WG0322
void zero(ThreadNodeInputRecord<R> i, [MaxRecords(1)] NodeOutput<R> zero) { }
[Shader("node")] [NodeLaunch("thread")] [NodeMaxRecursionDepth(33)] //~ ERROR WG0322
void too_deep(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeMaxRecursionDepth(0)] //~ WARN WG0407
void none(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeMaxRecursionDepth(4)] //~ WARN WG0407
void useless(ThreadNodeInputRecord<R> i, [MaxRecords(1)] NodeOutput<R> zero) { }
// The range of an array reaches the node itself.
[Shader("node")] [NodeLaunch("thread")] [NodeID("part", 3)]
void part(ThreadNodeInputRecord<R> i, [MaxRecords(1)] [NodeID("part", 1)] [NodeArraySize(3)] [AllowSparseNodes] NodeOutputArray<R> parts) { } //~ ERROR WG0406
