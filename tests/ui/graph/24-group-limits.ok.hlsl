struct R { uint x; };
struct Line { uint data[32]; };
struct Wide { uint data[33]; };
struct [NodeTrackRWInputSharing] Tracked { uint data[32]; };
[Shader("node")] [NodeLaunch("thread")] void takes_r(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] void line_(ThreadNodeInputRecord<Line> i) { }
[Shader("node")] [NodeLaunch("thread")] void wide(ThreadNodeInputRecord<Wide> i) { }
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(2, 1, 1)] [NumThreads(32, 1, 1)] void tracked(RWDispatchNodeInputRecord<Tracked> i) { }
[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(4, 1, 1)] void counts([MaxRecords(4)] EmptyNodeInput i) { }
[Shader("node")] [NodeLaunch("thread")] void shared(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeShareInputOf("shared")] void second(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeShareInputOf("shared")] void third(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeID("part", 0)] void part_0(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeID("part", 1)] void part_1(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeShareInputOf("part", 1)] void beside(ThreadNodeInputRecord<R> i) { }

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(2, 1, 1)] [NumThreads(32, 1, 1)] void records(
    [MaxRecords(200)] [NodeID("takes_r")] NodeOutput<R> a,
    [MaxRecords(56)] [NodeID("takes_r")] NodeOutput<R> b,
    // Empty records take nothing.
    [MaxRecords(5000)] EmptyNodeOutput counts) { }
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(2, 1, 1)] [NumThreads(32, 1, 1)] void bytes([MaxRecords(256)] NodeOutput<Line> line_) { }
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(2, 1, 1)] [NumThreads(32, 1, 1)] void set(
    [MaxRecords(248)] [NodeID("takes_r")] NodeOutput<R> small,
    [MaxRecordsSharedWith(small)] NodeOutput<Wide> wide) { }
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(2, 1, 1)] [NumThreads(32, 1, 1)] void tracking([MaxRecords(248)] NodeOutput<Tracked> tracked) { }
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(2, 1, 1)] [NumThreads(32, 1, 1)] void copies([MaxRecords(85)] NodeOutput<R> shared) { }
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(2, 1, 1)] [NumThreads(32, 1, 1)] void worst_of_array([MaxRecords(128)] [NodeArraySize(2)] NodeOutputArray<R> part) { }
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(2, 1, 1)] [NumThreads(32, 1, 1)] void only_part_0([MaxRecords(256)] NodeOutput<R> part) { }
