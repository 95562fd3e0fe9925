struct R { uint x; };
struct Other { uint x; uint y; };
struct G { uint grid : SV_DispatchGrid; };
[Shader("node")] [NodeLaunch("thread")] [NodeID("a", 0)] void launch_0(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(4, 1, 1)] [NodeID("a", 1)] void launch_1([MaxRecords(4)] GroupNodeInputRecords<R> i) { } //~ ERROR WG0410
[Shader("node")] [NodeLaunch("thread")] [NodeID("b", 0)] void record_0(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeID("b", 1)] void record_1(ThreadNodeInputRecord<Other> i) { } //~ ERROR WG0410
[Shader("node")] [NodeLaunch("thread")] [NodeID("c", 0)] void writes_0(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeID("c", 1)] void writes_1(RWThreadNodeInputRecord<R> i) { } //~ ERROR WG0410
[Shader("node")] [NodeLaunch("thread")] [NodeID("d", 0)] void data_0(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeID("d", 5)] void data_5() { } //~ ERROR WG0410
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(2, 1, 1)] [NumThreads(32, 1, 1)] [NodeID("e", 0)] void grid_0(DispatchNodeInputRecord<G> i) { }
[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(8, 1, 1)] [NumThreads(32, 1, 1)] [NodeID("e", 1)] void grid_1(DispatchNodeInputRecord<G> i) { } //~ ERROR WG0411
