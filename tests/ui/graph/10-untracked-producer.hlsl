struct [NodeTrackRWInputSharing] Tracked { uint x; };
struct Plain { uint x; };
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(2, 1, 1)] [NumThreads(32, 1, 1)] void last(RWDispatchNodeInputRecord<Tracked> i) { if (i.FinishedCrossGroupSharing()) i.Get().x = 0; }
[Shader("node")] [NodeLaunch("thread")] void first([MaxRecords(1)] NodeOutput<Plain> last) { } //~ ERROR WG0403
