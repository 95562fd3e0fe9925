// A node that shares an input receives the owner's records.
struct R { uint x; };
[Shader("node")] [NodeLaunch("thread")] void a(ThreadNodeInputRecord<R> i, [MaxRecords(1)] NodeOutput<R> b) { } //~ ERROR WG0405
[Shader("node")] [NodeLaunch("thread")] void b(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeShareInputOf("b")] void sharer(ThreadNodeInputRecord<R> i, [MaxRecords(1)] NodeOutput<R> a) { }
// Back to the owner itself.
[Shader("node")] [NodeLaunch("thread")] void start([MaxRecords(1)] NodeOutput<R> own) { }
[Shader("node")] [NodeLaunch("thread")] void own(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeShareInputOf("own")] void second(ThreadNodeInputRecord<R> i, [MaxRecords(1)] NodeOutput<R> own) { } //~ ERROR WG0405
