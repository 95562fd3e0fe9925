//! host renamed.json
// Identities that the host replaces, and nodes that relied on them: the host's text is shown.
struct R { uint x; };
struct G { uint3 grid : SV_DispatchGrid; };
struct [NodeTrackRWInputSharing] Sum { uint3 grid : SV_DispatchGrid; uint total; };

[Shader("node")] [NodeLaunch("thread")] void root(
    ThreadNodeInputRecord<R> i,
    [MaxRecords(1)] [NodeID("Shade")] [NodeArraySize(3)] NodeOutputArray<R> shade, //~ ERROR WG0401
    [MaxRecords(1)] [NodeID("Trace", 1)] NodeOutput<R> trace, //~ ERROR WG0401
    [MaxRecords(1)] NodeOutput<R> left, //~ ERROR WG0401
    [MaxRecords(1)] NodeOutput<Sum> collect) { }

[Shader("node")] [NodeLaunch("thread")] [NodeID("Shade", 0)] void shade0(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeID("Shade", 1)] void shade1(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeID("Shade", 2)] void shade2(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeID("Trace", 0)] void trace0(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeID("Trace", 1)] void trace1(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] void left(ThreadNodeInputRecord<R> i) { }

// Nobody targets it any more.
[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(4, 1, 1)] [NumThreads(8, 1, 1)]
void collect(RWDispatchNodeInputRecord<Sum> sum)
{
    sum.FinishedCrossGroupSharing(); //~ ERROR WG0420
}
[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(4, 1, 1)] [NumThreads(8, 1, 1)]
void collect2(RWDispatchNodeInputRecord<Sum> sum)
{
    sum.FinishedCrossGroupSharing();
}
