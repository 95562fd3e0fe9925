// 16,777,214 indexes and 1 level
struct R { uint x; };
[Shader("node")] [NodeLaunch("thread")] [NodeID("only", 16777213)] [NodeMaxRecursionDepth(1)]
void only(ThreadNodeInputRecord<R> i, [MaxRecords(1)] [NodeID("only", 16777213)] NodeOutput<R> again) { }
