//! host 27-denied-entry.ok.json
// With include_all, a node in no list is an entry. A node that others target may be denied.
struct R { uint x; };
[Shader("node")] [NodeLaunch("thread")] void root([MaxRecords(1)] NodeOutput<R> child) { }
[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry] void child(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] void other() { }
