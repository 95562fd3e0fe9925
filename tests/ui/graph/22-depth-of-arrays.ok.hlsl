// The recursion of m[0] is its own: below m[1] the chain has 1 + 1 + 26 nodes.
struct R { uint x; };
[Shader("node")] [NodeLaunch("thread")] void shallow([MaxRecords(1)] [NodeArraySize(2)] NodeOutputArray<R> m) { }
[Shader("node")] [NodeLaunch("thread")] [NodeID("m", 0)] [NodeMaxRecursionDepth(20)] void m0(ThreadNodeInputRecord<R> i, [MaxRecords(1)] NodeOutput<R> m) { }
[Shader("node")] [NodeLaunch("thread")] [NodeID("m", 1)] void m1(ThreadNodeInputRecord<R> i, [MaxRecords(1)] NodeOutput<R> leaf) { }
[Shader("node")] [NodeLaunch("thread")] [NodeMaxRecursionDepth(25)] void leaf(ThreadNodeInputRecord<R> i, [MaxRecords(1)] NodeOutput<R> leaf) { }
