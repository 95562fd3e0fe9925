// Rules between nodes.
struct R { uint x; };
struct Same { uint y; };
struct Other { uint x; uint y; };
struct Swapped { float x; };

[Shader("node")] [NodeLaunch("thread")] void takes_r(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] void takes_other(ThreadNodeInputRecord<Other> i) { }
[Shader("node")] [NodeLaunch("thread")] void takes_nothing() { }
[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(1, 1, 1)] void takes_empty([MaxRecords(4)] EmptyNodeInput i) { }

[Shader("node")] [NodeLaunch("thread")]
void producer(
    [MaxRecords(1)] NodeOutput<R> takes_r,
    [MaxRecords(1)] [NodeID("takes_r")] NodeOutput<Same> same,
    [MaxRecords(1)] [NodeID("takes_r")] NodeOutput<Other> size, //~ ERROR WG0403
    [MaxRecords(1)] [NodeID("takes_r")] NodeOutput<Swapped> layout, //~ WARN WG0404
    [MaxRecords(1)] [NodeID("takes_r")] EmptyNodeOutput no_data, //~ ERROR WG0403
    [MaxRecords(1)] [NodeID("takes_nothing")] NodeOutput<R> unread, //~ ERROR WG0403
    [MaxRecords(1)] EmptyNodeOutput takes_empty,
    [MaxRecords(1)] [NodeID("takes_nothing")] EmptyNodeOutput fine,
    [MaxRecords(1)] NodeOutput<Other> takes_othr, //~ ERROR WG0401
    [MaxRecords(1)] [AllowSparseNodes] NodeOutput<R> absent) { }

// recursion
[Shader("node")] [NodeLaunch("thread")]
void unlimited(ThreadNodeInputRecord<R> i, [MaxRecords(1)] NodeOutput<R> unlimited) { } //~ ERROR WG0406
[Shader("node")] [NodeLaunch("thread")] [NodeMaxRecursionDepth(4)]
void limited(ThreadNodeInputRecord<R> i, [MaxRecords(1)] NodeOutput<R> limited) { }
[Shader("node")] [NodeLaunch("thread")] [NodeMaxRecursionDepth(4)] //~ WARN WG0407
void not_recursive(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeMaxRecursionDepth(33)] //~ ERROR WG0322
void too_deep(ThreadNodeInputRecord<R> i, [MaxRecords(1)] NodeOutput<R> too_deep) { }

// identity and arrays
[Shader("node")] [NodeLaunch("thread")] [NodeID("twin")] void twin_a(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeID("twin")] void twin_b(ThreadNodeInputRecord<R> i) { } //~ ERROR WG0402
[Shader("node")] [NodeLaunch("thread")] [NodeID("array", 0)] void array_0(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeID("array", 1)] void array_1(ThreadNodeInputRecord<Other> i) { } //~ ERROR WG0410
[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(1, 1, 1)] [NodeID("array", 2)] void array_2([MaxRecords(4)] GroupNodeInputRecords<R> i) { } //~ ERROR WG0410
[Shader("node")] [NodeLaunch("thread")] [NodeID("family", 0)]
void family_0(ThreadNodeInputRecord<R> i, [MaxRecords(1)] [NodeID("family", 1)] NodeOutput<R> sister) { } //~ ERROR WG0412
[Shader("node")] [NodeLaunch("thread")] [NodeID("family", 1)] void family_1(ThreadNodeInputRecord<R> i) { }

// sharing
[Shader("node")] [NodeLaunch("thread")] void shared_owner(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeShareInputOf("shared_owner")] void sharer(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeShareInputOf("shared_ownr")] void lost(ThreadNodeInputRecord<R> i) { } //~ ERROR WG0413
[Shader("node")] [NodeLaunch("thread")] [NodeShareInputOf("sharer")] void second_hand(ThreadNodeInputRecord<R> i) { } //~ ERROR WG0413
[Shader("node")] [NodeLaunch("thread")] [NodeShareInputOf("shared_owner")] [NodeIsProgramEntry] //~ ERROR WG0414
void sharing_entry(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeShareInputOf("shared_owner")] //~ ERROR WG0414
void sharing_writer(RWThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeShareInputOf("shared_owner")] //~ ERROR WG0414
void sharing_other(ThreadNodeInputRecord<Other> i) { }

[Shader("node")] [NodeLaunch("thread")] [NodeLocalRootArgumentsTableIndex(2)] //~ WARN WG0419
void local_arguments() { }

// A forward declaration is no second node.
[Shader("node")] [NodeLaunch("thread")] void declared_first(ThreadNodeInputRecord<R> i);
[Shader("node")] [NodeLaunch("thread")] void declared_first(ThreadNodeInputRecord<R> i) { }

[Shader("node")] [NodeLaunch("thread")]
void feeds_a_sharer([MaxRecords(1)] NodeOutput<R> targeted_sharer) { }
[Shader("node")] [NodeLaunch("thread")] [NodeShareInputOf("shared_owner")] //~ ERROR WG0414
void targeted_sharer(ThreadNodeInputRecord<R> i) { }
