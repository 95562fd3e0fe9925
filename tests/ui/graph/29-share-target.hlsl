struct R { uint x; };
[Shader("node")] [NodeLaunch("thread")] void owner(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeShareInputOf("ownr")] void missing(ThreadNodeInputRecord<R> i) { } //~ ERROR WG0413
[Shader("node")] [NodeLaunch("thread")] [NodeShareInputOf("owner", 1)] void index(ThreadNodeInputRecord<R> i) { } //~ ERROR WG0413
[Shader("node")] [NodeLaunch("thread")] [NodeShareInputOf("itself")] void itself(ThreadNodeInputRecord<R> i) { } //~ ERROR WG0413
[Shader("node")] [NodeLaunch("thread")] [NodeShareInputOf("owner")] void sharer(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeShareInputOf("sharer")] void second_hand(ThreadNodeInputRecord<R> i) { } //~ ERROR WG0413
