struct [NodeTrackRWInputSharing] R { uint x; };
RWStructuredBuffer<uint> results;
cbuffer C { bool early; };
[Shader("node")] [NodeLaunch("thread")] void sends([MaxRecords(1)] NodeOutput<R> shares) { shares.GetThreadNodeOutputRecords(1).OutputComplete(); }
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(4, 1, 1)] [NumThreads(1, 1, 1)]
void shares(RWDispatchNodeInputRecord<R> i)
{
    bool last;
    if (early)
        last = i.FinishedCrossGroupSharing();
    else
        last = i.FinishedCrossGroupSharing();
    if (last)
        results[0] = i.Get().x;
}
