//! host names.json
// Nodes, outputs and budgets that are not there.
struct R { uint x; };
//~ HOST 3 ERROR WG0424
[Shader("node")] [NodeLaunch("thread")] void child(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] void root(
    [MaxRecords(1)] NodeOutput<R> child,
    //~ HOST 6 ERROR WG0424
    [MaxRecordsSharedWith(child)] [NodeID("child")] NodeOutput<R> second,
    //~ HOST 7 ERROR WG0318
    [MaxRecords(1)] [NodeID("child")] NodeOutput<R> third,
    //~ HOST 8 ERROR WG0318
    [MaxRecords(1)] [NodeID("child")] NodeOutput<R> fourth,
    //~ HOST 9 WARN WG0321
    [MaxRecords(1)] [NodeID("child")] NodeOutput<R> fifth,
    //~ HOST 10 ERROR WG0424
    [MaxRecords(1)] [NodeID("child")] NodeOutput<R> sixth,
    //~ HOST 11 ERROR WG0329
    [MaxRecords(1)] [NodeID("child")] [UnboundedSparseNodes] NodeOutputArray<R> seventh) { }
