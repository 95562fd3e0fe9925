//! entries root also tile[2]
struct R { uint x; };
[Shader("node")] [NodeLaunch("thread")] void root([MaxRecords(1)] NodeOutput<R> child) { }
[Shader("node")] [NodeLaunch("thread")] void child(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] void also(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeID("tile", 2)] void tile(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeShareInputOf("also")] void shares(ThreadNodeInputRecord<R> i) { }
