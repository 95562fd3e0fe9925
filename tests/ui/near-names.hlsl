// Nearly correct words of the graph.
struct R { uint3 grid : SV_DispachGrid; };
struct Inner { uint n; uint2 size : SV_DispatchGird; };
struct Outer { uint a; Inner inner; };

[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(4, 1, 1)] [NumThreads(4, 1, 1)]
void a(DispatchNodeInputRecord<R> i) { } //~ ERROR WG0306
[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(4, 1, 1)] [NumThreads(4, 1, 1)]
void b(DispatchNodeInputRecord<Outer> i) { } //~ ERROR WG0306

[Shader("node")] [NodeLaunch("thread")] void owner(ThreadNodeInputRecord<Inner> i) { }
[Shader("node")] [NodeLaunch("thread")]
[NodeShareInputOf("ownr")] void sharer(ThreadNodeInputRecord<Inner> i) { } //~ ERROR WG0413
