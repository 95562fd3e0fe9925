RWStructuredBuffer<uint> results;
struct [NodeTrackRWInputSharing] R { uint x; };
bool last(RWDispatchNodeInputRecord<R> i) { return i.FinishedCrossGroupSharing(); }
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(2, 1, 1)] [NumThreads(32, 1, 1)] void targeted(RWDispatchNodeInputRecord<R> i) { if (last(i)) results[0] = i.Get().x; }
[Shader("node")] [NodeLaunch("thread")] void first([MaxRecords(1)] NodeOutput<R> targeted) { }
// An entry may write its record if its groups do not ask which is the last.
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(2, 1, 1)] [NumThreads(32, 1, 1)] void entry(RWDispatchNodeInputRecord<R> i) { InterlockedAdd(i.Get().x, 1); }
