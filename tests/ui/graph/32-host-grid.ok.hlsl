//! host 32-host-grid.ok.json
// Shaders may leave their grids to the host.
struct R { uint x; };
struct G { uint grid : SV_DispatchGrid; };
[Shader("node")] [NumThreads(8, 1, 1)] void with_field(DispatchNodeInputRecord<G> i) { }
[Shader("node")] [NumThreads(8, 1, 1)] void fixed(DispatchNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(2, 1, 1)] [NumThreads(32, 1, 1)] void another(DispatchNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(8, 1, 1)] [NumThreads(32, 1, 1)] void larger(DispatchNodeInputRecord<G> i) { }
