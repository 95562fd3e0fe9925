// The number is read as the largest index, of an array with all indexes below it.
struct R { uint x; };
[Shader("node")] [NodeLaunch("thread")] [NodeID("a", -1)] //~ ERROR WG0409 WARN WG0123
void last(ThreadNodeInputRecord<R> i) { }
