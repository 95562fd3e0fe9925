// Numbers of the graph that a host may still change.
[[vk::constant_id(1)]] const uint THREADS = 8;
[[vk::constant_id(2)]] const uint GRID = 4;
[[vk::constant_id(3)]] const uint BUDGET = 6;
[[vk::constant_id(4)]] const uint FIRST = 2;
[[vk::constant_id(5)]] const uint COUNT = 3;
[[vk::constant_id(6)]] const uint DEPTH = 5;
[[vk::constant_id(7)]] const uint TAKES = 7;
RWStructuredBuffer<uint> Out : register(u0);
struct Work { uint v; };
struct Grid { uint3 grid : SV_DispatchGrid; };

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(GRID, 2, 1)] [NumThreads(THREADS, 1, 1)]
void Source([MaxRecords(BUDGET)] [NodeID("Leaf", FIRST)] [NodeArraySize(COUNT)] [AllowSparseNodes] NodeOutputArray<Work> leaf,
            [MaxRecordsSharedWith(leaf)] NodeOutput<Work> Loop, uint thread : SV_GroupIndex)
{
    if (leaf[1].IsValid()) {
        GroupNodeOutputRecords<Work> records = leaf[1].GetGroupNodeOutputRecords(1);
        records.Get().v = thread + DEPTH;
        records.OutputComplete();
    }
    ThreadNodeOutputRecords<Work> record = Loop.GetThreadNodeOutputRecords(thread == 0 ? 1 : 0);
    if (thread == 0) record.Get().v = 1;
    record.OutputComplete();
}
[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(GRID, GRID, 1)] [NumThreads(1, 1, 1)] [NodeIsProgramEntry]
void Most(DispatchNodeInputRecord<Grid> input) { Out[0] = input.Get().grid.x; }
[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(16, 1, 1)] [NodeID("Leaf", FIRST)]
void Leaf([MaxRecords(TAKES)] GroupNodeInputRecords<Work> input) { Out[1] = input.Count(); }
[Shader("node")] [NodeLaunch("thread")] [NodeMaxRecursionDepth(DEPTH)]
void Loop(ThreadNodeInputRecord<Work> input, [MaxRecords(1)] [NodeID("Loop")] NodeOutput<Work> self)
{
    bool goes = GetRemainingRecursionLevels() > 0;
    ThreadNodeOutputRecords<Work> next = self.GetThreadNodeOutputRecords(goes ? 1 : 0);
    if (goes) next.Get().v = input.Get().v + 1;
    next.OutputComplete();
}
