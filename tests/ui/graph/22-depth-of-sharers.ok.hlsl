// (1 + 29) + 1 + 1 = 32: a node that shares an input has the depth of the owner.
struct R { uint x; };
[Shader("node")] [NodeLaunch("thread")] [NodeMaxRecursionDepth(29)] void a(ThreadNodeInputRecord<R> i, [MaxRecords(1)] NodeOutput<R> a, [MaxRecords(1)] NodeOutput<R> b) { }
[Shader("node")] [NodeLaunch("thread")] void b(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeShareInputOf("b")] void sharer(ThreadNodeInputRecord<R> i, [MaxRecords(1)] NodeOutput<R> c) { }
[Shader("node")] [NodeLaunch("thread")] void c(ThreadNodeInputRecord<R> i) { }
