// Outputs: single and arrays, base indexes, sparse and unbounded arrays, shared budgets, empty records; allocation by threads
// and groups, completion, increments, IsValid.
RWStructuredBuffer<uint> Out : register(u0);
struct Work { uint v; float4 f; };

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(8, 1, 1)]
void Source(
    [MaxRecords(20)] NodeOutput<Work> one,
    [MaxRecordsSharedWith(one)] [NodeID("Material", 2)] [NodeArraySize(3)] NodeOutputArray<Work> some,
    [MaxRecords(4)] [AllowSparseNodes] [NodeID("Holes", 1)] [NodeArraySize(5)] NodeOutputArray<Work> holes,
    [MaxRecords(5)] [UnboundedSparseNodes] [NodeID("Endless")] NodeOutputArray<Work> endless,
    [MaxRecords(9)] EmptyNodeOutput tick,
    [MaxRecordsSharedWith(tick)] [NodeID("Ticks", 1)] [NodeArraySize(2)] EmptyNodeOutputArray ticks,
    [MaxRecords(1)] [AllowSparseNodes] [NodeID("Absent")] NodeOutput<Work> absent,
    uint thread : SV_GroupIndex)
{
    ThreadNodeOutputRecords<Work> mine = one.GetThreadNodeOutputRecords(2);
    mine.Get(0).v = thread;
    mine[1].f = thread;
    mine.OutputComplete();
    GroupNodeOutputRecords<Work> ours = some[thread > 100 ? 1 : 2].GetGroupNodeOutputRecords(4);
    if (thread < 4) ours[thread].v = thread;
    ours.OutputComplete();
    if (holes[1].IsValid()) {
        GroupNodeOutputRecords<Work> there = holes[1].GetGroupNodeOutputRecords(1);
        there.Get().v = 3;
        there.OutputComplete();
    }
    ThreadNodeOutputRecords<Work> far = endless[700].GetThreadNodeOutputRecords(endless[700].IsValid() && thread == 0 ? 1 : 0);
    if (endless[700].IsValid() && thread == 0) far.Get().v = 4;
    far.OutputComplete();
    tick.ThreadIncrementOutputCount(thread & 1);
    tick.GroupIncrementOutputCount(3);
    ticks[1].GroupIncrementOutputCount(2);
    if (absent.IsValid()) Out[0] = 1;
}

[Shader("node")] [NodeLaunch("thread")] void one(ThreadNodeInputRecord<Work> input) { Out[1] = input.Get().v; }
[Shader("node")] [NodeLaunch("thread")] [NodeID("Material", 2)] void m2(ThreadNodeInputRecord<Work> input) { Out[2] = input.Get().v; }
[Shader("node")] [NodeLaunch("thread")] [NodeID("Material", 3)] void m3(ThreadNodeInputRecord<Work> input) { Out[3] = input.Get().v; }
[Shader("node")] [NodeLaunch("thread")] [NodeID("Material", 4)] void m4(ThreadNodeInputRecord<Work> input) { Out[4] = input.Get().v; }
[Shader("node")] [NodeLaunch("thread")] [NodeID("Holes", 2)] void h2(ThreadNodeInputRecord<Work> input) { Out[5] = input.Get().v; }
[Shader("node")] [NodeLaunch("thread")] [NodeID("Endless", 700)] void e(ThreadNodeInputRecord<Work> input) { Out[6] = input.Get().v; }
[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(1, 1, 1)] void tick([MaxRecords(2)] EmptyNodeInput input) { Out[7] = input.Count(); }
[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(1, 1, 1)] [NodeID("Ticks", 1)] void t1([MaxRecords(3)] EmptyNodeInput input) { Out[8] = 1; }
[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(1, 1, 1)] [NodeID("Ticks", 2)] void t2([MaxRecords(3)] EmptyNodeInput input) { Out[9] = 1; }
