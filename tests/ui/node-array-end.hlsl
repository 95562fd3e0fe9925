// Indexes of nodes have 32 bits; an array that ends at the last one is right, regardless of the target.
struct R { uint v; };
RWStructuredBuffer<uint> Out;

[Shader("node")] [NodeLaunch("thread")]
void Beyond([NodeID("X", 0xfffffff0)] [NodeArraySize(32)] [AllowSparseNodes] [MaxRecords(1)] NodeOutputArray<R> o) { Out[0] = o[3].IsValid(); } //~ ERROR WG0430
[Shader("node")] [NodeLaunch("thread")]
void OneBeyond([NodeID("X", 0xffffffff)] [NodeArraySize(2)] [AllowSparseNodes] [MaxRecords(1)] NodeOutputArray<R> o) { } //~ ERROR WG0430
[Shader("node")] [NodeLaunch("thread")]
void Empty([NodeID("Y", 3)] [NodeArraySize(0xfffffffe)] [AllowSparseNodes] [MaxRecords(1)] EmptyNodeOutputArray o, //~ ERROR WG0430
           [NodeID("Y", 2)] [NodeArraySize(0xfffffffe)] [AllowSparseNodes] [MaxRecords(1)] EmptyNodeOutputArray p) { }
[Shader("node")] [NodeLaunch("thread")]
void Last([NodeID("X", 0xfffffff0)] [NodeArraySize(16)] [AllowSparseNodes] [MaxRecords(1)] NodeOutputArray<R> o,
          [NodeID("X", 0xffffffff)] [AllowSparseNodes] [MaxRecords(1)] NodeOutput<R> one,
          [NodeID("X", 0xfffffff0)] [UnboundedSparseNodes] [MaxRecords(1)] NodeOutputArray<R> open) { Out[1] = o[15].IsValid() + one.IsValid(); }
