// Two calls of one helper: the labels are at the calls, because the helper has one location.
struct [NodeTrackRWInputSharing] Shared { uint3 grid : SV_DispatchGrid; uint x; };
struct R { uint x; };
RWStructuredBuffer<uint> Out;

bool Done(RWDispatchNodeInputRecord<Shared> input)
{
    return input.FinishedCrossGroupSharing(); //~ ERROR WG0350
}

void Finish(ThreadNodeOutputRecords<R> records)
{
    records.OutputComplete(); //~ ERROR WG0343
}

[Shader("node")]
[NodeLaunch("thread")]
void Main([MaxRecords(1)] [NodeID("Sharing")] NodeOutput<Shared> shared, [MaxRecords(1)] [NodeID("Leaf")] NodeOutput<R> leaf)
{
    ThreadNodeOutputRecords<Shared> sent = shared.GetThreadNodeOutputRecords(1);
    sent.Get().grid = 1;
    sent.Get().x = 2;
    sent.OutputComplete();
    ThreadNodeOutputRecords<R> records = leaf.GetThreadNodeOutputRecords(1);
    records.Get().x = 1;
    Finish(records);
    Finish(records);
}

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeMaxDispatchGrid(4, 1, 1)]
[NumThreads(4, 1, 1)]
void Sharing(RWDispatchNodeInputRecord<Shared> input)
{
    bool first = Done(input);
    Out[1] = first;
    bool second = Done(input);
    Out[2] = second;
}

[Shader("node")]
[NodeLaunch("thread")]
void Leaf(ThreadNodeInputRecord<R> input) { Out[0] = input.Get().x; }
