// WorkGraphs.md, Barrier Rules: forbidden barriers are errors, though DXC accepts some of them.
RWStructuredBuffer<uint> Out;
struct R { uint v; };

void Ordered() { Barrier(NODE_INPUT_MEMORY | NODE_OUTPUT_MEMORY, 0); } //~ ERROR WG0226

[Shader("node")] [NodeLaunch("thread")]
void Thread(ThreadNodeInputRecord<R> i, [MaxRecords(1)] [AllowSparseNodes] NodeOutput<R> o)
{
    Barrier(0, 0);
    Barrier(NODE_INPUT_MEMORY, DEVICE_SCOPE); //~ ERROR WG0226
    Barrier(NODE_OUTPUT_MEMORY, 0); //~ ERROR WG0226
    Barrier(NODE_INPUT_MEMORY | UAV_MEMORY, DEVICE_SCOPE);
    Barrier(ALL_MEMORY, DEVICE_SCOPE);
    Barrier(UAV_MEMORY, GROUP_SCOPE); //~ ERROR WG0226
    Barrier(UAV_MEMORY | GROUP_SHARED_MEMORY, 0); //~ ERROR WG0226
    Barrier(Out, DEVICE_SCOPE);
    Barrier(i, 0); //~ ERROR WG0218
    ThreadNodeOutputRecords<R> r = o.GetThreadNodeOutputRecords(1);
    Barrier(r, 0);
    Barrier(r, DEVICE_SCOPE); //~ ERROR WG0381
    r.Get().v = i.Get().v;
    r.OutputComplete();
    Ordered();
}
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(32, 1, 1)]
void ReadOnly(DispatchNodeInputRecord<R> i) { Barrier(i, GROUP_SCOPE); Out[0] = 1; } //~ ERROR WG0218
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(32, 1, 1)]
void Written(RWDispatchNodeInputRecord<R> i) { Barrier(i, DEVICE_SCOPE | GROUP_SYNC); Barrier(NODE_INPUT_MEMORY, DEVICE_SCOPE); Ordered(); }
[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(32, 1, 1)]
void Group([MaxRecords(4)] GroupNodeInputRecords<R> i) { Barrier(i, 0); } //~ ERROR WG0218
[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(32, 1, 1)]
void WrittenGroup([MaxRecords(4)] RWGroupNodeInputRecords<R> i)
{
    Barrier(i, GROUP_SCOPE);
    Barrier(i, DEVICE_SCOPE); //~ ERROR WG0381
    Barrier(NODE_OUTPUT_MEMORY, DEVICE_SCOPE); //~ ERROR WG0381
    Barrier(NODE_OUTPUT_MEMORY | NODE_INPUT_MEMORY, DEVICE_SCOPE);
    Barrier(GROUP_SHARED_MEMORY, DEVICE_SCOPE); //~ ERROR WG0381
}
