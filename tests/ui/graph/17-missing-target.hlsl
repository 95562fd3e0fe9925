struct R { uint x; };
[Shader("node")] [NodeLaunch("thread")] [NodeID("tile", 1)] void tile_1(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeID("tile", 2)] void tile_2(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] void shade(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] void first(
    [MaxRecords(1)] NodeOutput<R> shad, //~ ERROR WG0401
    [MaxRecords(1)] [NodeID("tiles", 1)] NodeOutput<R> one, //~ ERROR WG0401
    [MaxRecords(1)] [NodeID("tile")] NodeOutput<R> zero, //~ ERROR WG0401
    [MaxRecords(1)] [NodeID("tile")] [NodeArraySize(5)] NodeOutputArray<R> five) { } //~ ERROR WG0401
