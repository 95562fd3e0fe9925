// 16,777,214 indexes and 2 levels
struct R { uint x; };
[Shader("node")] [NodeLaunch("thread")] [NodeID("only", 16777213)] [NodeMaxRecursionDepth(2)] //~ ERROR WG0409
void only(ThreadNodeInputRecord<R> i, [MaxRecords(1)] [NodeID("only", 16777213)] NodeOutput<R> again) { }
