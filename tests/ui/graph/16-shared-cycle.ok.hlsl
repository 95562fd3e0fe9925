// Nodes that share an input both go on to one that leads back to neither.
struct R { uint x; };
[Shader("node")] [NodeLaunch("thread")] void a(ThreadNodeInputRecord<R> i, [MaxRecords(1)] NodeOutput<R> b) { }
[Shader("node")] [NodeLaunch("thread")] void b(ThreadNodeInputRecord<R> i, [MaxRecords(1)] NodeOutput<R> end) { }
[Shader("node")] [NodeLaunch("thread")] [NodeShareInputOf("b")] void sharer(ThreadNodeInputRecord<R> i, [MaxRecords(1)] NodeOutput<R> end) { }
[Shader("node")] [NodeLaunch("thread")] void end(ThreadNodeInputRecord<R> i) { }
