struct R { uint x; };
[Shader("node")] [NodeLaunch("thread")]
void sends([MaxRecords(1)] NodeOutput<R> takes) { takes.GetThreadNodeOutputRecords(1).Get().x = 1; } //~ ERROR WG0340
[Shader("node")] [NodeLaunch("thread")] void takes(ThreadNodeInputRecord<R> i) { }
