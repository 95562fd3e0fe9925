struct R { uint x; };
struct Line { uint data[32]; };
struct Wide { uint data[33]; };
struct [NodeTrackRWInputSharing] Tracked { uint data[32]; };
[Shader("node")] [NodeLaunch("thread")] void takes_r(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] void line_(ThreadNodeInputRecord<Line> i) { }
[Shader("node")] [NodeLaunch("thread")] void wide(ThreadNodeInputRecord<Wide> i) { }
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(2, 1, 1)] [NumThreads(32, 1, 1)] void tracked(RWDispatchNodeInputRecord<Tracked> i) { }
[Shader("node")] [NodeLaunch("thread")] void shared(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeShareInputOf("shared")] void second(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeShareInputOf("shared")] void third(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeID("part", 0)] void part_0(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeID("part", 1)] void part_1(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeShareInputOf("part", 1)] void beside(ThreadNodeInputRecord<R> i) { }

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(2, 1, 1)] [NumThreads(32, 1, 1)] void records( //~ ERROR WG0325
    [MaxRecords(200)] [NodeID("takes_r")] NodeOutput<R> a,
    [MaxRecords(57)] [NodeID("takes_r")] NodeOutput<R> b) { }
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(2, 1, 1)] [NumThreads(32, 1, 1)] void bytes([MaxRecords(249)] NodeOutput<Wide> wide) { } //~ ERROR WG0325
// The largest record of those that share a budget counts.
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(2, 1, 1)] [NumThreads(32, 1, 1)] void set( //~ ERROR WG0325
    [MaxRecords(249)] [NodeID("takes_r")] NodeOutput<R> small,
    [MaxRecordsSharedWith(small)] NodeOutput<Wide> wide) { }
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(2, 1, 1)] [NumThreads(32, 1, 1)] void tracking([MaxRecords(249)] NodeOutput<Tracked> tracked) { } //~ ERROR WG0325
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(2, 1, 1)] [NumThreads(32, 1, 1)] void copies([MaxRecords(86)] NodeOutput<R> shared) { } //~ ERROR WG0325
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(2, 1, 1)] [NumThreads(32, 1, 1)] void worst_of_array([MaxRecords(129)] [NodeArraySize(2)] NodeOutputArray<R> part) { } //~ ERROR WG0325
