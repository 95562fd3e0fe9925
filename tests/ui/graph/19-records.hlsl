struct R { uint x; uint y; };
struct Small { uint x; };
struct Wide { uint64_t x; };
struct [NodeTrackRWInputSharing] Tracked { uint x; uint y; };
struct GridFirst { uint grid : SV_DispatchGrid; uint x; };
struct GridLast { uint x; uint grid : SV_DispatchGrid; };
struct Swapped { float x; uint y; };
[Shader("node")] [NodeLaunch("thread")] void takes(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(2, 1, 1)] [NumThreads(32, 1, 1)] void tracks(RWDispatchNodeInputRecord<Tracked> i) { }
[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(8, 1, 1)] [NumThreads(32, 1, 1)] void grows(DispatchNodeInputRecord<GridFirst> i) { }
[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(4, 1, 1)] void counts([MaxRecords(4)] EmptyNodeInput i) { }
[Shader("node")] [NodeLaunch("thread")] void first(
    [MaxRecords(1)] [NodeID("takes")] NodeOutput<Small> size, //~ ERROR WG0403
    [MaxRecords(1)] [NodeID("takes")] NodeOutput<Wide> alignment, //~ ERROR WG0403
    [MaxRecords(1)] [NodeID("tracks")] NodeOutput<R> tracking, //~ ERROR WG0403
    [MaxRecords(1)] [NodeID("grows")] NodeOutput<GridLast> grid, //~ ERROR WG0403
    [MaxRecords(1)] [NodeID("takes")] EmptyNodeOutput nothing, //~ ERROR WG0403
    [MaxRecords(1)] [NodeID("counts")] NodeOutput<R> unread, //~ ERROR WG0403
    [MaxRecords(1)] [NodeID("takes")] NodeOutput<Swapped> layout) { } //~ WARN WG0404
