//! library
// Only other files can declare the node that this one reaches; no module may send there.
struct R { uint x; };

[Shader("node")] [NodeLaunch("thread")] [NodeID("Main", 1)] [NodeMaxRecursionDepth(2)]
void Main(ThreadNodeInputRecord<R> i, [NodeID("Main", 0)] [NodeArraySize(4)] [AllowSparseNodes] [MaxRecords(1)] NodeOutputArray<R> o)
{
    ThreadNodeOutputRecords<R> r = o[3].GetThreadNodeOutputRecords(1); //~ amdx WG0504
    r.Get().x = 1;
    r.OutputComplete();
}
