struct R { uint x; };
struct Same { uint y; };
struct G { uint grid : SV_DispatchGrid; };
[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(4, 1, 1)] [NodeID("a", 0)] void few([MaxRecords(4)] GroupNodeInputRecords<R> i) { }
[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(4, 1, 1)] [NodeID("a", 1)] void many([MaxRecords(64)] GroupNodeInputRecords<Same> i) { }
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(2, 1, 1)] [NumThreads(32, 1, 1)] [NodeID("b", 0)] void fixed_0(DispatchNodeInputRecord<G> i) { }
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(2, 1, 1)] [NumThreads(32, 1, 1)] [NodeID("b", 7)] void fixed_7(DispatchNodeInputRecord<G> i) { }
