//! hints
struct R { uint3 grid : SV_DispatchGrid; };

[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(16, 65535, 1)] [NumThreads(32, 1, 1)]
void tiles(DispatchNodeInputRecord<R> input) { } //~ HINT WG0602
