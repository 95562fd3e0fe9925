//! host 27-denied-entry.ok.json
// What is in no list is an entry with include_all, and one that others target may be denied.
struct R { uint x; };
[Shader("node")] [NodeLaunch("thread")] void root([MaxRecords(1)] NodeOutput<R> child) { }
[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry] void child(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] void other() { }
