struct R { uint x; };
[Shader("node")] [NodeLaunch("thread")] void next(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] void first(
    [MaxRecords(0)] NodeOutput<R> next, //~ WARN WG0321
    [MaxRecords(1)] [NodeID("next")] [NodeArraySize(0)] NodeOutputArray<R> none) { } //~ ERROR WG0320
