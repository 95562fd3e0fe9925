struct R { uint x; };
[Shader("node")] [NodeLaunch("thread")] [NodeID("")] void nameless(ThreadNodeInputRecord<R> i) { } //~ WARN WG0121
[Shader("node")] [NodeLaunch("thread")] void sends([MaxRecords(1)] [NodeID("", 0)] NodeOutput<R> o) { } //~ WARN WG0121
