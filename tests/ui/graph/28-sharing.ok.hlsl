struct R { uint x; };
struct Same { uint y; };
struct G { uint grid : SV_DispatchGrid; };
[Shader("node")] [NodeLaunch("thread")] void owner(ThreadNodeInputRecord<R> i) { }
// Launch modes may differ, and names of fields.
[Shader("node")] [NodeLaunch("thread")] [NodeShareInputOf("owner")] void thread(ThreadNodeInputRecord<Same> i) { }
[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(4, 1, 1)] [NodeShareInputOf("owner")] void group([MaxRecords(4)] GroupNodeInputRecords<R> i) { }
// Only nodes feed it.
[Shader("node")] [NodeLaunch("thread")] void fed(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] void feeds([MaxRecords(1)] NodeOutput<R> fed) { }
[Shader("node")] [NodeLaunch("thread")] [NodeShareInputOf("fed")] void beside(ThreadNodeInputRecord<R> i) { }
// So may grids.
[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(8, 1, 1)] [NumThreads(32, 1, 1)] void dynamic(DispatchNodeInputRecord<G> i) { }
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(2, 1, 1)] [NumThreads(32, 1, 1)] [NodeShareInputOf("dynamic")] void fixed(DispatchNodeInputRecord<G> i) { }
