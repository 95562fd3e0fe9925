struct R { uint x; };
[Shader("node")] [NodeLaunch("thread")] [NodeID("next", 0)] void next(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] void first([MaxRecords(1)] NodeOutputArray<R> next) { } //~ ERROR WG0320
