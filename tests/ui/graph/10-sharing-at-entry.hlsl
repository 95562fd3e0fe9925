RWStructuredBuffer<uint> results;
struct [NodeTrackRWInputSharing] R { uint x; };

// Nothing targets it.
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(2, 1, 1)] [NumThreads(32, 1, 1)] void untargeted(RWDispatchNodeInputRecord<R> i)
{
    if (i.FinishedCrossGroupSharing()) results[0] = i.Get().x; //~ ERROR WG0420
}

// Fed by a node and, since it is marked, by the host; the call is in a function.
bool last(RWDispatchNodeInputRecord<R> i) { return i.FinishedCrossGroupSharing(); } //~ ERROR WG0420
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(2, 1, 1)] [NumThreads(32, 1, 1)] [NodeIsProgramEntry] void marked(RWDispatchNodeInputRecord<R> i) { if (last(i)) results[0] = i.Get().x; }
[Shader("node")] [NodeLaunch("thread")] void first([MaxRecords(1)] NodeOutput<R> marked) { }
