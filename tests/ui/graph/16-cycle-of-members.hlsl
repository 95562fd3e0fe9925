// No record comes back, but the members of an array have one place in a chain.
struct R { uint x; };
[Shader("node")] [NodeLaunch("thread")] void start([MaxRecords(1)] NodeOutput<R> S) { }
[Shader("node")] [NodeLaunch("thread")] [NodeID("S", 0)] void S0(ThreadNodeInputRecord<R> i, [MaxRecords(1)] NodeOutput<R> B) { }
[Shader("node")] [NodeLaunch("thread")] [NodeID("B")] void Between(ThreadNodeInputRecord<R> i, [MaxRecords(1)] [NodeID("S", 1)] NodeOutput<R> o) { } //~ ERROR WG0405
[Shader("node")] [NodeLaunch("thread")] [NodeID("S", 1)] void S1(ThreadNodeInputRecord<R> i) { }
