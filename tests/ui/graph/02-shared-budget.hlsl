struct R { uint x; };
[Shader("node")] [NodeLaunch("thread")] void next(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] void first(
    [MaxRecords(1)] [NodeID("next")] NodeOutput<R> a,
    [MaxRecordsSharedWith(a)] [NodeID("next")] NodeOutput<R> b,
    [MaxRecordsSharedWith(b)] [NodeID("next")] NodeOutput<R> c, //~ ERROR WG0318
    [MaxRecordsSharedWith(e)] [NodeID("next")] NodeOutput<R> d, //~ WARN WG0331
    [MaxRecords(1)] [NodeID("next")] NodeOutput<R> e) { }
