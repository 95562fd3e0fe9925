struct R { uint x; };
[Shader("node")] [NodeLaunch("thread")] void single(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] void empty() { }
[Shader("node")] [NodeLaunch("thread")]
void first(
    [MaxRecords(2)] [MaxRecordsPerNode(2)] [NodeArraySize(1)] [NodeID("single")] NodeOutputArray<R> all,
    [MaxRecordsSharedWith(all)] [MaxRecordsPerNode(1)] [NodeArraySize(1)] [NodeID("empty")] EmptyNodeOutputArray shared,
    [MaxRecords(1)] [NodeArraySize(1)] [NodeID("single")] NodeOutputArray<R> unsaid) { }
