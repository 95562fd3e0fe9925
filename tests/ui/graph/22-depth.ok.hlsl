// (1 + 10) + (1 + 10) + (1 + 8) + 1 = 32
struct R { uint x; };
[Shader("node")] [NodeLaunch("thread")] [NodeMaxRecursionDepth(10)] void a(ThreadNodeInputRecord<R> i, [MaxRecords(1)] NodeOutput<R> a, [MaxRecords(1)] NodeOutput<R> b) { }
[Shader("node")] [NodeLaunch("thread")] [NodeMaxRecursionDepth(10)] void b(ThreadNodeInputRecord<R> i, [MaxRecords(1)] NodeOutput<R> b, [MaxRecords(1)] NodeOutput<R> c) { }
[Shader("node")] [NodeLaunch("thread")] [NodeMaxRecursionDepth(8)] void c(ThreadNodeInputRecord<R> i, [MaxRecords(1)] NodeOutput<R> c, [MaxRecords(1)] NodeOutput<R> d) { }
[Shader("node")] [NodeLaunch("thread")] void d(ThreadNodeInputRecord<R> i) { }
