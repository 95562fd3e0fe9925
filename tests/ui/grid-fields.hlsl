// The field for a grid has a type of its own if the record may launch one: in any output, and in inputs of broadcasting nodes.
struct Int { int3 grid : SV_DispatchGrid; }; //~ ERROR WG0307
struct Float { float grid : SV_DispatchGrid; }; //~ ERROR WG0307
[Shader("node")] [NodeLaunch("thread")]
void sends(ThreadNodeInputRecord<Int> i, [MaxRecords(1)] [AllowSparseNodes] NodeOutput<Int> elsewhere) { }
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(4, 1, 1)]
void fixed(DispatchNodeInputRecord<Float> i) { }
