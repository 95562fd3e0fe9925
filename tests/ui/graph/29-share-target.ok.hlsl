struct R { uint x; };
[Shader("node")] [NodeLaunch("thread")] [NodeID("owner", 1)] void owner(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeShareInputOf("owner", 1)] void sharer(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeShareInputOf("owner", 1)] void another(ThreadNodeInputRecord<R> i) { }
