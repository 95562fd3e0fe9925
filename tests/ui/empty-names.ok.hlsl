struct R { uint x; };
[Shader("node")] [NodeLaunch("thread")] [NodeID(" ")] void blank(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] void sends([MaxRecords(1)] [NodeID(" ", 0)] NodeOutput<R> o) { }
