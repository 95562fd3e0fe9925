//! host 17-renamed-target.ok.json
// A node is found by its identity, regardless of the name of its function.
struct R { uint x; };
[Shader("node")] [NodeLaunch("thread")] void first(
    [MaxRecords(1)] NodeOutput<R> Final,
    [MaxRecords(1)] NodeOutput<R> Finish,
    [MaxRecords(1)] [NodeID("Memory")] NodeOutput<R> Store) { }
[Shader("node")] [NodeLaunch("thread")] [NodeID("Final")] void Finish(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeID("Finish")] void Other(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] void Store(ThreadNodeInputRecord<R> i) { }
