struct R { uint x; };
struct Other { uint x; uint y; };
[Shader("node")] [NodeLaunch("thread")] void owner(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeShareInputOf("owner")] [NodeIsProgramEntry] void entry(ThreadNodeInputRecord<R> i) { } //~ ERROR WG0414
[Shader("node")] [NodeLaunch("thread")] [NodeShareInputOf("owner")] void targeted(ThreadNodeInputRecord<R> i) { } //~ ERROR WG0414
[Shader("node")] [NodeLaunch("thread")] void first([MaxRecords(1)] NodeOutput<R> targeted) { }
[Shader("node")] [NodeLaunch("thread")] [NodeShareInputOf("owner")] void writer(RWThreadNodeInputRecord<R> i) { } //~ ERROR WG0414
[Shader("node")] [NodeLaunch("thread")] [NodeShareInputOf("owner")] void other(ThreadNodeInputRecord<Other> i) { } //~ ERROR WG0414
[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(4, 1, 1)] [NodeShareInputOf("owner")] void nothing([MaxRecords(4)] EmptyNodeInput i) { } //~ ERROR WG0414

// A mistake of an owner is reported once.
[Shader("node")] [NodeLaunch("thread")] [NodeMaxRecursionDepth(2)] void deep(ThreadNodeInputRecord<R> i, [MaxRecords(1)] NodeOutput<R> deep) { }
[Shader("node")] [NodeLaunch("thread")] [NodeShareInputOf("deep")] void deep_1(ThreadNodeInputRecord<R> i) { } //~ ERROR WG0414
[Shader("node")] [NodeLaunch("thread")] [NodeShareInputOf("deep")] void deep_2(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry] void both(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] void feeds([MaxRecords(1)] NodeOutput<R> both) { }
[Shader("node")] [NodeLaunch("thread")] [NodeShareInputOf("both")] void both_1(ThreadNodeInputRecord<R> i) { } //~ ERROR WG0414
[Shader("node")] [NodeLaunch("thread")] [NodeShareInputOf("both")] void both_2(ThreadNodeInputRecord<R> i) { }
