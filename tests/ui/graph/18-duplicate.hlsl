struct R { uint x; };
[Shader("node")] [NodeLaunch("thread")] [NodeID("tile", 1)] void one(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeID("tile", 1)] void other(ThreadNodeInputRecord<R> i) { } //~ ERROR WG0402
