struct R { uint x; };
struct Ids { uint thread : SV_GroupIndex; };
struct Outer { Ids ids; };
[Shader("node")] [NodeLaunch("thread")] void alone(ThreadNodeInputRecord<R> i, Outer where) { } //~^^ ERROR WG0314
