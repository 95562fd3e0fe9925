struct R { uint x; };
struct Wide { uint data[33]; };
[Shader("node")] [NodeLaunch("thread")] void takes_r(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] void wide(ThreadNodeInputRecord<Wide> i) { }
[Shader("node")] [NodeLaunch("thread")] void records([MaxRecords(9)] NodeOutput<R> takes_r) { } //~ ERROR WG0324
[Shader("node")] [NodeLaunch("thread")] void bytes([MaxRecords(1)] NodeOutput<Wide> wide) { } //~ ERROR WG0324
