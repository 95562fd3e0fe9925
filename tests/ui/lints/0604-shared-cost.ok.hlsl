//! hints
// A shared input that only the host feeds costs no node anything.
struct R { uint value; };

[Shader("node")] [NodeLaunch("thread")]
void first(ThreadNodeInputRecord<R> input) { }

[Shader("node")] [NodeLaunch("thread")] [NodeShareInputOf("first")]
void second(ThreadNodeInputRecord<R> input) { }
