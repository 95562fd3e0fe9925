// Two outputs reach different parts of an array whose elements differ in constants. One thread of a group sends all records.
RWStructuredBuffer<uint> Out;

struct Item { uint slot; };

[Shader("node")] [NodeLaunch("broadcasting")] [NodeIsProgramEntry] [NodeDispatchGrid(1, 1, 1)] [NumThreads(4, 1, 1)]
void Choose(uint thread : SV_GroupIndex,
    [MaxRecords(4)] [NodeID("Code", 0)] [NodeArraySize(4)] NodeOutputArray<Item> All,
    [MaxRecords(4)] [NodeID("Code", 2)] [NodeArraySize(2)] NodeOutputArray<Item> Last)
{
    ThreadNodeOutputRecords<Item> first = All[thread].GetThreadNodeOutputRecords(1);
    first.Get().slot = thread;
    first.OutputComplete();
    ThreadNodeOutputRecords<Item> second = Last[thread & 1].GetThreadNodeOutputRecords(1);
    second.Get().slot = 4 + thread;
    second.OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")] [NodeID("Code", 0)]
void Add(ThreadNodeInputRecord<Item> item) { InterlockedAdd(Out[item.Get().slot], 100); }

[Shader("node")] [NodeLaunch("thread")] [NodeID("Code", 1)]
void Or(ThreadNodeInputRecord<Item> item) { InterlockedOr(Out[item.Get().slot], 200); }

[Shader("node")] [NodeLaunch("thread")] [NodeID("Code", 2)]
void Steep(ThreadNodeInputRecord<Item> item) { InterlockedAdd(Out[item.Get().slot], asuint(item.Get().slot * 1.5 + 1.0)); }

[Shader("node")] [NodeLaunch("thread")] [NodeID("Code", 3)]
void Steeper(ThreadNodeInputRecord<Item> item) { InterlockedAdd(Out[item.Get().slot], asuint(item.Get().slot * 2.25 + 7.0)); }

[Shader("node")] [NodeLaunch("broadcasting")] [NodeIsProgramEntry] [NodeDispatchGrid(1, 1, 1)] [NumThreads(4, 1, 1)]
void One(uint thread : SV_GroupIndex, [MaxRecords(3)] NodeOutput<Item> Count)
{
    uint records = thread == 1 ? 3 : 0;
    ThreadNodeOutputRecords<Item> items = Count.GetThreadNodeOutputRecords(records);
    for (uint i = 0; i < records; i++)
    {
        items.Get(i).slot = 8 + i;
    }
    items.OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")]
void Count(ThreadNodeInputRecord<Item> item) { InterlockedAdd(Out[item.Get().slot], 7); }
