struct [NodeTrackRWInputSharing] R { uint x; };
[Shader("node")] [NodeLaunch("thread")] void sends([MaxRecords(1)] NodeOutput<R> shares) { shares.GetThreadNodeOutputRecords(1).OutputComplete(); }
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(4, 1, 1)] [NumThreads(1, 1, 1)]
void shares(RWDispatchNodeInputRecord<R> i)
{
    bool last = i.FinishedCrossGroupSharing();
    last = i.FinishedCrossGroupSharing(); //~ ERROR WG0350
}
