struct R { uint x; };
[Shader("node")] [NodeLaunch("thread")] [NodeID("tile", 0)]
void tile_0(ThreadNodeInputRecord<R> i, [MaxRecords(1)] [NodeID("leaf")] NodeOutput<R> leaf) { }
[Shader("node")] [NodeLaunch("thread")] [NodeID("tile", 1)] [NodeMaxRecursionDepth(2)]
void tile_1(ThreadNodeInputRecord<R> i, [MaxRecords(1)] [NodeID("tile", 1)] NodeOutput<R> itself) { }
[Shader("node")] [NodeLaunch("thread")] void leaf(ThreadNodeInputRecord<R> i) { }
