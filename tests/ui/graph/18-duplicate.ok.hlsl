struct R { uint x; };
[Shader("node")] [NodeLaunch("thread")] [NodeID("tile", 1)] void one(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeID("tile", 2)] void other(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeID("Tile", 1)] void another(ThreadNodeInputRecord<R> i) { }
