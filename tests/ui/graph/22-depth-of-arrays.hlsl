// m[1] is targeted by an entry, but its array is below `deep`: 21 + 1 + 11 = 33.
struct R { uint x; };
[Shader("node")] [NodeLaunch("thread")] [NodeMaxRecursionDepth(20)] void deep(ThreadNodeInputRecord<R> i, [MaxRecords(1)] NodeOutput<R> deep, [MaxRecords(1)] NodeOutput<R> m) { }
[Shader("node")] [NodeLaunch("thread")] void shallow([MaxRecords(1)] [NodeID("m", 1)] NodeOutput<R> o) { }
[Shader("node")] [NodeLaunch("thread")] [NodeID("m", 0)] void m0(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeID("m", 1)] void m1(ThreadNodeInputRecord<R> i, [MaxRecords(1)] NodeOutput<R> leaf) { }
[Shader("node")] [NodeLaunch("thread")] [NodeMaxRecursionDepth(10)] void leaf(ThreadNodeInputRecord<R> i, [MaxRecords(1)] NodeOutput<R> leaf) { } //~ ERROR WG0408
