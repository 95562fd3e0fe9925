struct R { uint x; };
[Shader("node")] [NodeLaunch("thread")] [NodeID("a", 16777214.75)] //~ WARN WG0123
void last(ThreadNodeInputRecord<R> i) { }
