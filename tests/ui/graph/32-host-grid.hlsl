//! host 32-host-grid.json
struct R { uint x; };
struct G { uint grid : SV_DispatchGrid; };
//~ HOST 3 ERROR WG0306
[Shader("node")] [NumThreads(8, 1, 1)] void no_field(DispatchNodeInputRecord<R> i) { }
//~ HOST 4 ERROR WG0306
[Shader("node")] [NumThreads(8, 1, 1)] void no_input() { }
//~ HOST 5 ERROR WG0304
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(2, 1, 1)] [NumThreads(32, 1, 1)] void is_fixed(DispatchNodeInputRecord<G> i) { }
//~ HOST 6 ERROR WG0310
[Shader("node")] [NodeLaunch("thread")] void thread(ThreadNodeInputRecord<G> i) { }
//~ HOST 7 ERROR WG0305
[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(8, 1, 1)] [NumThreads(32, 1, 1)] void large(DispatchNodeInputRecord<G> i) { }
