struct R { uint x; };
[Shader("node")] [NodeLaunch("thread")] void start([MaxRecords(1)] NodeOutput<R> a, [MaxRecords(1)] NodeOutput<R> b) { }
[Shader("node")] [NodeLaunch("thread")] void a(ThreadNodeInputRecord<R> i, [MaxRecords(1)] NodeOutput<R> b, [MaxRecords(1)] NodeOutput<R> c) { }
[Shader("node")] [NodeLaunch("thread")] [NodeMaxRecursionDepth(3)]
void b(ThreadNodeInputRecord<R> i, [MaxRecords(1)] NodeOutput<R> b, [MaxRecords(1)] NodeOutput<R> c) { }
[Shader("node")] [NodeLaunch("thread")] void c(ThreadNodeInputRecord<R> i) { }
