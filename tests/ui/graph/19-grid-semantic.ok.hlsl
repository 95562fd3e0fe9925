struct Plain { uint x; uint y; };
struct GridFirst { uint grid : SV_DispatchGrid; uint x; };
struct AlsoFirst { uint groups : SV_DispatchGrid; uint y; };
[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(8, 1, 1)] [NumThreads(32, 1, 1)] void grows(DispatchNodeInputRecord<GridFirst> i) { }
// With a fixed grid the field is data like any other.
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(2, 1, 1)] [NumThreads(32, 1, 1)] void stays(DispatchNodeInputRecord<GridFirst> i) { }
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(2, 1, 1)] [NumThreads(32, 1, 1)] void plain(DispatchNodeInputRecord<Plain> i) { }
[Shader("node")] [NodeLaunch("thread")] void first(
    [MaxRecords(1)] [NodeID("grows")] NodeOutput<AlsoFirst> same,
    [MaxRecords(1)] [NodeID("stays")] NodeOutput<Plain> data,
    [MaxRecords(1)] [NodeID("plain")] NodeOutput<GridFirst> unread) { }
