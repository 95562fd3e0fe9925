struct R { uint x; uint y; };
struct Same { uint a; uint b; };
struct [NodeTrackRWInputSharing] Tracked { uint x; uint y; };
struct GridFirst { uint grid : SV_DispatchGrid; uint x; };
struct AlsoFirst { uint groups : SV_DispatchGrid; uint y; };
struct GridLast { uint x; uint grid : SV_DispatchGrid; };
[Shader("node")] [NodeLaunch("thread")] void takes(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(2, 1, 1)] [NumThreads(32, 1, 1)] void tracks(RWDispatchNodeInputRecord<Tracked> i) { }
[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(8, 1, 1)] [NumThreads(32, 1, 1)] void grows(DispatchNodeInputRecord<GridFirst> i) { }
// With a fixed grid the field is data like any other.
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(2, 1, 1)] [NumThreads(32, 1, 1)] void stays(DispatchNodeInputRecord<GridFirst> i) { }
[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(4, 1, 1)] void counts([MaxRecords(4)] EmptyNodeInput i) { }
// These have equal numbers at equal bytes.
struct Inner { uint u; float v; };
struct Nested { Inner inner[2]; uint2 pair; int3 triple; };
struct Flat { uint a; float b; uint c; float d; uint list[2]; int x; int2 yz; };
[Shader("node")] [NodeLaunch("thread")] void flat(ThreadNodeInputRecord<Flat> i) { }
[Shader("node")] [NodeLaunch("thread")] void first(
    [MaxRecords(1)] [NodeID("takes")] NodeOutput<Same> names,
    [MaxRecords(1)] [NodeID("flat")] NodeOutput<Nested> nested,
    [MaxRecords(1)] [NodeID("tracks")] NodeOutput<Tracked> tracking,
    [MaxRecords(1)] [NodeID("grows")] NodeOutput<AlsoFirst> grid,
    [MaxRecords(1)] [NodeID("stays")] NodeOutput<GridLast> data,
    [MaxRecords(1)] [NodeID("counts")] EmptyNodeOutput nothing) { }
