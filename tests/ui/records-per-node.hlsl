// The maximum for one node of an output array is a part of the budget.
struct R { uint x; };
[Shader("node")] [NodeLaunch("thread")] void single(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")]
void first(
    [MaxRecords(1)] [MaxRecordsPerNode(1)] [NodeID("single")] NodeOutput<R> one, //~ ERROR WG0386
    [MaxRecords(2)] [MaxRecordsPerNode(3)] [NodeArraySize(1)] [NodeID("single")] NodeOutputArray<R> more, //~ ERROR WG0386
    [MaxRecordsSharedWith(more)] [MaxRecordsPerNode(4)] [NodeArraySize(1)] [NodeID("empty")] EmptyNodeOutputArray shared, //~ ERROR WG0386
    [MaxRecords(1)] [MaxRecordsPerNode(0)] [NodeArraySize(1)] [NodeID("single")] NodeOutputArray<R> none, //~ WARN WG0321
    [MaxRecords(1)] [MaxRecordsPerNode(-1)] [NodeArraySize(1)] [NodeID("single")] NodeOutputArray<R> negative) { } //~ ERROR WG0121
[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(4, 1, 1)]
void empty([MaxRecords(4)] [MaxRecordsPerNode(2)] EmptyNodeInput i) { } //~ ERROR WG0120
