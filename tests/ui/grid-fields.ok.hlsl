// In inputs of threads and coalescing groups it is a field like any other.
struct Int { int3 grid : SV_DispatchGrid; };
struct Float { float grid : SV_DispatchGrid; };
[Shader("node")] [NodeLaunch("thread")] void takes(ThreadNodeInputRecord<Int> i) { }
[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(4, 1, 1)]
void gathers([MaxRecords(4)] GroupNodeInputRecords<Float> i) { }
