//! hints
struct R { uint3 grid : SV_DispatchGrid; };

[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(16, 65534, 1)] [NumThreads(32, 1, 1)]
void tiles(DispatchNodeInputRecord<R> input) { }

// It is what runs, not a bound.
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(65535, 1, 1)] [NumThreads(32, 1, 1)]
void all() { }
