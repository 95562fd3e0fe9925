struct R { uint x; };
[Shader("node")] [NodeLaunch("thread")] [NodeMaxRecursionDepth(1)]
void once(ThreadNodeInputRecord<R> i, [MaxRecords(1)] NodeOutput<R> once) { }
[Shader("node")] [NodeLaunch("thread")] [NodeMaxRecursionDepth(31)]
void often(ThreadNodeInputRecord<R> i, [MaxRecords(1)] NodeOutput<R> often) { }
// The range of the array ends before the node itself.
[Shader("node")] [NodeLaunch("thread")] [NodeID("part", 3)]
void part(ThreadNodeInputRecord<R> i, [MaxRecords(1)] [NodeID("part", 0)] [NodeArraySize(3)] [AllowSparseNodes] NodeOutputArray<R> parts) { }
