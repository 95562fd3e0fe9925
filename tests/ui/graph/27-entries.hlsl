//! entries root
struct R { uint x; };
[Shader("node")] [NodeLaunch("thread")] void root([MaxRecords(1)] NodeOutput<R> child) { }
[Shader("node")] [NodeLaunch("thread")] void child(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] void left_out(ThreadNodeInputRecord<R> i) { } //~ ERROR WG0417
