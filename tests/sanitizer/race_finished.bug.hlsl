// Workgroups do not publish their writes before they say that they are finished.

RWStructuredBuffer<uint> Out : register(u0);

struct [NodeTrackRWInputSharing] Sums { uint of[2]; };

[Shader("node")]
[NodeLaunch("thread")]
void Main([MaxRecords(1)] NodeOutput<Sums> Add)
{
    ThreadNodeOutputRecords<Sums> sums = Add.GetThreadNodeOutputRecords(1);
    sums.Get().of[0] = sums.Get().of[1] = 0;
    sums.OutputComplete();
}

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(2, 1, 1)]
[NumThreads(4, 1, 1)]
void Add(uint group : SV_GroupID, uint t : SV_GroupIndex, globallycoherent RWDispatchNodeInputRecord<Sums> sums)
{
    if (t == 0)
        sums.Get().of[group] = 5;
    if (sums.FinishedCrossGroupSharing() && t == 0)
        Out[0] = sums.Get().of[0] + sums.Get().of[1]; // BUG
}
