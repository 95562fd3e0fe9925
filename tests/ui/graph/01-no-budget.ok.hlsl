struct R { uint x; };
[Shader("node")] [NodeLaunch("thread")] void next(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] void first(
    [MaxRecords(1)] [NodeID("next")] NodeOutput<R> a,
    [MaxRecordsSharedWith(a)] [NodeID("next")] NodeOutput<R> b) { }
