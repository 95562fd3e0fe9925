struct R { uint x; };
[Shader("node")] [NodeLaunch("thread")] void next(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] void first([MaxRecords(1)] NodeOutput<R> next,
    [MaxRecords(1)] [NodeID("next")] [NodeArraySize(1)] NodeOutputArray<R> one) { }
