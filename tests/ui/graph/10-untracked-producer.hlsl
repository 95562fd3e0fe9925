RWStructuredBuffer<uint> results;
struct [NodeTrackRWInputSharing] Tracked { uint x; };
struct Plain { uint x; };
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(2, 1, 1)] [NumThreads(32, 1, 1)] void last(RWDispatchNodeInputRecord<Tracked> i) { if (i.FinishedCrossGroupSharing()) results[0] = i.Get().x; }
[Shader("node")] [NodeLaunch("thread")] void first([MaxRecords(1)] NodeOutput<Plain> last) { } //~ ERROR WG0403
