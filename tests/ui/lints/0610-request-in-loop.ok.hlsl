//! hints
struct R { uint value; };

[Shader("node")] [NodeLaunch("thread")]
void root([MaxRecords(4)] NodeOutput<R> leaf)
{
    ThreadNodeOutputRecords<R> records = leaf.GetThreadNodeOutputRecords(4);
    for (uint i = 0; i < 4; i++)
        records[i].value = i;
    records.OutputComplete();
}

// The group as a whole asks once a turn: that is no request of each thread.
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(32, 1, 1)]
void batches([MaxRecords(64)] [NodeID("leaf")] NodeOutput<R> target, uint lane : SV_GroupIndex)
{
    for (uint i = 0; i < 2; i++)
    {
        GroupNodeOutputRecords<R> records = target.GetGroupNodeOutputRecords(32);
        records[lane].value = i;
        records.OutputComplete();
    }
}

[Shader("node")] [NodeLaunch("thread")]
void leaf(ThreadNodeInputRecord<R> input) { }
