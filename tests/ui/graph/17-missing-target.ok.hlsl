struct R { uint x; };
[Shader("node")] [NodeLaunch("thread")] [NodeID("tile", 1)] void tile_1(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeID("tile", 2)] void tile_2(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] void first(
    [MaxRecords(1)] [AllowSparseNodes] NodeOutput<R> absent,
    [MaxRecords(1)] [NodeID("tile", 1)] [NodeArraySize(2)] NodeOutputArray<R> exactly,
    [MaxRecords(1)] [NodeID("tile")] [NodeArraySize(5)] [AllowSparseNodes] NodeOutputArray<R> five,
    [MaxRecords(1)] [NodeID("tile")] [UnboundedSparseNodes] NodeOutputArray<R> all) { }
