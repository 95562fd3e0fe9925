struct Plain { uint x; uint y; };
struct PlainWide { uint3 size; uint y; };
struct Loose { uint a; uint b; uint c; uint y; };
struct GridFirst { uint grid : SV_DispatchGrid; uint x; };
struct GridWide { uint3 grid : SV_DispatchGrid; uint x; };
struct GridNarrow { uint grid : SV_DispatchGrid; uint2 rest; uint x; };
[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(8, 1, 1)] [NumThreads(32, 1, 1)] void grows(DispatchNodeInputRecord<GridFirst> i) { }
[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(8, 8, 1)] [NumThreads(32, 1, 1)] void widens(DispatchNodeInputRecord<GridWide> i) { }
[Shader("node")] [NodeLaunch("thread")] void first(
    [MaxRecords(1)] [NodeID("grows")] NodeOutput<Plain> silent, //~ WARN WG0435
    [MaxRecords(1)] [NodeID("widens")] NodeOutput<PlainWide> wide, //~ WARN WG0435
    // No field of this record is the grid.
    [MaxRecords(1)] [NodeID("widens")] NodeOutput<Loose> loose, //~ ERROR WG0403
    // The two grids differ.
    [MaxRecords(1)] [NodeID("widens")] NodeOutput<GridNarrow> narrow) { } //~ ERROR WG0403
