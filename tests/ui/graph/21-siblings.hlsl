struct R { uint x; };
[Shader("node")] [NodeLaunch("thread")] [NodeID("tile", 0)]
void tile_0(ThreadNodeInputRecord<R> i, [MaxRecords(1)] [NodeID("tile", 1)] NodeOutput<R> sister) { } //~ ERROR WG0412
[Shader("node")] [NodeLaunch("thread")] [NodeID("tile", 1)] [NodeMaxRecursionDepth(2)]
void tile_1(ThreadNodeInputRecord<R> i, [MaxRecords(1)] [NodeID("tile")] [NodeArraySize(2)] NodeOutputArray<R> all) { } //~ ERROR WG0412
