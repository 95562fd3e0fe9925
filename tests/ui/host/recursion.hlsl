//! host recursion.json
// Only the host's targets make these nodes recursive: a depth of 0 is wrong there, as is a missing one, and more is right.
struct R { uint x; };
[Shader("node")] [NodeLaunch("thread")] [NodeMaxRecursionDepth(0)] //~ ERROR WG0322
void zero(ThreadNodeInputRecord<R> i, [MaxRecords(1)] [NodeID("end")] NodeOutput<R> next) { }
//~ HOST 4 ERROR WG0406
[Shader("node")] [NodeLaunch("thread")]
void none(ThreadNodeInputRecord<R> i, [MaxRecords(1)] [NodeID("end")] NodeOutput<R> next) { }
[Shader("node")] [NodeLaunch("thread")] [NodeMaxRecursionDepth(4)]
void four(ThreadNodeInputRecord<R> i, [MaxRecords(1)] [NodeID("end")] NodeOutput<R> next) { }
// If the host removes the recursion, the depth has no effect.
[Shader("node")] [NodeLaunch("thread")] [NodeMaxRecursionDepth(0)] //~ WARN WG0407
void ends(ThreadNodeInputRecord<R> i, [MaxRecords(1)] [NodeID("end")] NodeOutput<R> next) { }
[Shader("node")] [NodeLaunch("thread")] void end(ThreadNodeInputRecord<R> i) { }
