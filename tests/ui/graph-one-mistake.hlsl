// Consequences of a reported mistake are not reported again by rules of the graph.
struct R { uint x; };
// A rejected name belongs to no node.
[Shader("node")] [NodeLaunch("thread")]
void named([MaxRecords(1)] [NodeID(takes)] NodeOutput<R> out_) { } //~ ERROR WG0121
// A rejected budget is in no sum.
[Shader("node")] [NodeLaunch("thread")]
void budgets(
    [MaxRecords(9)] [NodeID("takes")] NodeOutput<R> nine,
    [MaxRecordsSharedWith(nothing)] [NodeID("takes")] NodeOutput<R> stranger) { } //~ ERROR WG0318
[Shader("node")] [NodeLaunch("thread")]
void chain(
    [MaxRecords(1)] [NodeID("takes")] NodeOutput<R> owner,
    [MaxRecordsSharedWith(owner)] [NodeID("takes")] NodeOutput<R> first,
    [MaxRecordsSharedWith(first)] [NodeID("takes")] NodeOutput<R> second) { } //~ ERROR WG0318
[Shader("node")] [NodeLaunch("thread")]
void input(ThreadNodeInputRecord<R> i, [MaxRecords(1)] [NodeID("takes")] NodeOutput<R> o, [MaxRecordsSharedWith(i)] [NodeID("takes")] NodeOutput<R> p) { } //~ ERROR WG0318
// The output that was meant to recurse is unknown.
[Shader("node")] [NodeLaunch("thread")] [NodeMaxRecursionDepth(3)]
void recurses(ThreadNodeInputRecord<R> i, [MaxRecords(1)] NodeOutput<R> recurses[2]) { } //~ ERROR WG0313
// The input that these share has no owner.
[Shader("node")] [NodeLaunch("thread")] [NodeShareInputOf("pong")] void ping(ThreadNodeInputRecord<R> i) { } //~ ERROR WG0413
[Shader("node")] [NodeLaunch("thread")] [NodeShareInputOf("ping")] void pong(ThreadNodeInputRecord<R> i) { } //~ ERROR WG0413
[Shader("node")] [NodeLaunch("thread")] [NodeShareInputOf("takes", 3)] void other(ThreadNodeInputRecord<R> i) { } //~ ERROR WG0413
// Local root arguments have an index, or -1.
[Shader("node")] [NodeLaunch("thread")] [NodeLocalRootArgumentsTableIndex(-2)] void rooted() { } //~ WARN WG0123
// A type that is not a record makes no input.
[Shader("node")] [NodeLaunch("thread")] void handed(GroupNodeOutputRecords<R> r, SamplerState s) { } //~ ERROR WG0380 WG0380
[Shader("node")] [NodeLaunch("thread")] void takes(ThreadNodeInputRecord<R> i) { }
