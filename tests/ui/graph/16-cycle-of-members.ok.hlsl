// Two arrays: each has its own place in the chain.
struct R { uint x; };
[Shader("node")] [NodeLaunch("thread")] void start([MaxRecords(1)] NodeOutput<R> S) { }
[Shader("node")] [NodeLaunch("thread")] [NodeID("S", 0)] void S0(ThreadNodeInputRecord<R> i, [MaxRecords(1)] NodeOutput<R> B) { }
[Shader("node")] [NodeLaunch("thread")] [NodeID("B")] void Between(ThreadNodeInputRecord<R> i, [MaxRecords(1)] [NodeID("S2", 1)] NodeOutput<R> o) { }
[Shader("node")] [NodeLaunch("thread")] [NodeID("S2", 1)] void S1(ThreadNodeInputRecord<R> i) { }
