// Indexes that are beyond the array of an output are not valid, although nodes have them.

RWStructuredBuffer<uint> Out : register(u0);

struct Record { uint id; };

[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry]
void Plain(ThreadNodeInputRecord<Record> i, [MaxRecords(2)] [NodeArraySize(2)] [NodeID("Kind")] NodeOutputArray<Record> kinds)
{
    if (kinds[i.Get().id].IsValid()) InterlockedAdd(Out[0], 1 << (8 * i.Get().id));
}

// Its array begins at Kind[1].
[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(4, 1, 1)] [NodeIsProgramEntry]
void Later([MaxRecords(4)] GroupNodeInputRecords<Record> all, uint t : SV_GroupIndex,
           [MaxRecords(2)] [NodeArraySize(2)] [NodeID("Kind", 1)] NodeOutputArray<Record> kinds)
{
    if (t < all.Count() && kinds[all[t].id].IsValid()) InterlockedAdd(Out[1], 1 << (8 * all[t].id));
}

// Kind[3] does not exist.
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(1, 1, 1)] [NodeIsProgramEntry]
void Sparse(DispatchNodeInputRecord<Record> i,
            [MaxRecords(2)] [NodeArraySize(4)] [AllowSparseNodes] [NodeID("Kind")] NodeOutputArray<Record> kinds)
{
    for (uint n = i.Get().id; n < 6; n++) {
        if (kinds[n].IsValid()) InterlockedAdd(Out[2], 1u << (4 * n));
    }
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(1, 1, 1)] [NodeIsProgramEntry]
void Empty(DispatchNodeInputRecord<Record> i, [MaxRecords(1)] [NodeArraySize(1)] [NodeID("Nothing")] EmptyNodeOutputArray none)
{
    const uint n = i.Get().id;
    uint valid = (none[n].IsValid() ? 1 : 0) + (none[n + 1].IsValid() ? 2 : 0) + (none[0xffffffffu - n].IsValid() ? 4 : 0);
    InterlockedAdd(Out[3], valid);
}

[Shader("node")] [NodeLaunch("thread")] [NodeID("Kind", 0)] void K0(ThreadNodeInputRecord<Record> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeID("Kind", 1)] void K1(ThreadNodeInputRecord<Record> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeID("Kind", 2)] void K2(ThreadNodeInputRecord<Record> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeID("Nothing", 0)] void N0() { }
[Shader("node")] [NodeLaunch("thread")] [NodeID("Nothing", 1)] [NodeIsProgramEntry] void N1() { }
