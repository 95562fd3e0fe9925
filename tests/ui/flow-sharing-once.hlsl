//! library
// A condition that makes threads diverge before the end of sharing is one mistake, also for the code after it.
struct [NodeTrackRWInputSharing] Sum { uint3 grid : SV_DispatchGrid; uint total; };
struct Report { uint total; };
#define NODE(NAME) [Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(16, 1, 1)] [NumThreads(64, 1, 1)] void NAME

NODE(once)(globallycoherent RWDispatchNodeInputRecord<Sum> sum, uint t : SV_GroupIndex, [MaxRecords(1)] NodeOutput<Report> finish)
{
    Barrier(NODE_INPUT_MEMORY, DEVICE_SCOPE | GROUP_SYNC);
    if (t < 3) {
        if (!sum.FinishedCrossGroupSharing()) //~ WARN WG0351
            return;
    }
    GroupNodeOutputRecords<Report> report = finish.GetGroupNodeOutputRecords(1);
    report.Get().total = 1;
    report.OutputComplete();
}

// Another condition is another mistake.
NODE(twice)(globallycoherent RWDispatchNodeInputRecord<Sum> sum, uint t : SV_GroupIndex, [MaxRecords(1)] NodeOutput<Report> finish)
{
    Barrier(NODE_INPUT_MEMORY, DEVICE_SCOPE | GROUP_SYNC);
    bool last = false;
    if (t < 3)
        last = sum.FinishedCrossGroupSharing(); //~ WARN WG0351
    if (t < 7)
        finish.GetGroupNodeOutputRecords(1).OutputComplete(); //~ WARN WG0345
}

// ---- near miss

NODE(right)(globallycoherent RWDispatchNodeInputRecord<Sum> sum, uint t : SV_GroupIndex, [MaxRecords(1)] NodeOutput<Report> finish)
{
    Barrier(NODE_INPUT_MEMORY, DEVICE_SCOPE | GROUP_SYNC);
    if (!sum.FinishedCrossGroupSharing())
        return;
    GroupNodeOutputRecords<Report> report = finish.GetGroupNodeOutputRecords(1);
    if (t == 0)
        report.Get().total = sum.Get().total;
    report.OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")] void finish(ThreadNodeInputRecord<Report> report) { uint total = report.Get().total; }
