// Budgets and shapes of outputs.
struct R { uint x; };

[Shader("node")] [NodeLaunch("thread")] [NodeID("target")]
void target(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeID("target", 1)]
void target1(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(8, 1, 1)]
void empty([MaxRecords(4)] EmptyNodeInput i) { }

[Shader("node")] [NodeLaunch("thread")]
void budgets(
    [NodeID("target")] NodeOutput<R> none, //~ ERROR WG0317
    [NodeID("target")] [MaxRecords(1)] NodeOutput<R> owner,
    [NodeID("target")] [MaxRecordsSharedWith(owner)] NodeOutput<R> sharer,
    [NodeID("target")] [MaxRecordsSharedWith(sharer)] NodeOutput<R> chain, //~ ERROR WG0318
    [NodeID("target")] [MaxRecordsSharedWith(self)] NodeOutput<R> self, //~ ERROR WG0318
    [NodeID("target")] [MaxRecordsSharedWith(nothing)] NodeOutput<R> stranger, //~ ERROR WG0318
    [NodeID("target")] [MaxRecordsSharedWith(late)] NodeOutput<R> early, //~ WARN WG0331
    [NodeID("target")] [MaxRecords(1)] NodeOutput<R> late,
    [NodeID("target")] [MaxRecords(1)] [MaxRecordsSharedWith(late)] NodeOutput<R> both, //~ ERROR WG0318
    [MaxRecords(0)] EmptyNodeOutput empty) { } //~ WARN WG0321

[Shader("node")] [NodeLaunch("thread")]
void arrays(
    [NodeID("target")] [MaxRecords(1)] NodeOutputArray<R> no_size, //~ ERROR WG0320
    [NodeID("target")] [MaxRecords(1)] [NodeArraySize(0)] NodeOutputArray<R> zero, //~ ERROR WG0320
    [NodeID("target")] [MaxRecords(1)] [NodeArraySize(2)] NodeOutputArray<R> two,
    [NodeID("target")] [MaxRecords(1)] [NodeArraySize(4)] NodeOutputArray<R> four, //~ ERROR WG0401
    [NodeID("target")] [MaxRecords(1)] [NodeArraySize(4)] [AllowSparseNodes] NodeOutputArray<R> sparse,
    [NodeID("target")] [MaxRecords(1)] [UnboundedSparseNodes] NodeOutputArray<R> unbounded,
    [NodeID("target")] [MaxRecords(1)] [UnboundedSparseNodes] [NodeArraySize(3)] NodeOutputArray<R> sized, //~ ERROR WG0329
    [NodeID("target")] [MaxRecords(1)] [NodeArraySize(2)] NodeOutput<R> single, //~ ERROR WG0320
    [NodeID("target")] [MaxRecords(0)] [UnboundedSparseNodes] NodeOutput<R> open) { } //~ ERROR WG0329 WARN WG0321

// Limits: 8 records and 128 bytes for a thread, 256 and 32,768 for a group.
struct Wide { uint data[33]; };
struct Line { uint data[32]; };
struct Large { uint data[32]; };
[Shader("node")] [NodeLaunch("thread")] void takes_wide(ThreadNodeInputRecord<Wide> i) { }
[Shader("node")] [NodeLaunch("thread")] void takes_line(ThreadNodeInputRecord<Line> i) { }

[Shader("node")] [NodeLaunch("thread")]
void nine([NodeID("target")] [MaxRecords(9)] NodeOutput<R> o) { } //~ ERROR WG0324
[Shader("node")] [NodeLaunch("thread")]
void eight([NodeID("target")] [MaxRecords(8)] NodeOutput<R> o) { }
[Shader("node")] [NodeLaunch("thread")]
void wide([NodeID("takes_wide")] [MaxRecords(1)] NodeOutput<Wide> o) { } //~ ERROR WG0324
[Shader("node")] [NodeLaunch("thread")]
void line_([NodeID("takes_line")] [MaxRecords(1)] NodeOutput<Line> o) { }

[Shader("node")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(32, 1, 1)]
void records([NodeID("target")] [MaxRecords(200)] NodeOutput<R> a, [NodeID("target")] [MaxRecords(57)] NodeOutput<R> b) { } //~ ERROR WG0325
[Shader("node")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(32, 1, 1)]
void most_records([NodeID("target")] [MaxRecords(200)] NodeOutput<R> a, [NodeID("target")] [MaxRecords(56)] NodeOutput<R> b) { }
[Shader("node")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(32, 1, 1)]
void bytes([NodeID("takes_wide")] [MaxRecords(249)] NodeOutput<Wide> a) { } //~ ERROR WG0325
[Shader("node")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(32, 1, 1)]
void most_bytes([NodeID("takes_line")] [MaxRecords(256)] NodeOutput<Line> a) { }
