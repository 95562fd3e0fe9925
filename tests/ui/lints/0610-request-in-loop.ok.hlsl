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

// The group as a whole asks once an iteration: that is no request of each thread.
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

// A loop that is left after the request asks once.
cbuffer Settings { uint Count; uint Kind; };

[Shader("node")] [NodeLaunch("thread")]
void searches([MaxRecords(4)] [NodeID("leaf")] NodeOutput<R> target)
{
    for (uint n = 0; n < Count; n++)
    {
        if (n == Kind)
        {
            ThreadNodeOutputRecords<R> record = target.GetThreadNodeOutputRecords(1);
            record.Get().value = n;
            record.OutputComplete();
            break;
        }
    }
    do
        target.GetThreadNodeOutputRecords(1).OutputComplete();
    while (false);
    for (uint k = 0; k < Count; k++)
    {
        switch (k)
        {
        case 3:
            target.GetThreadNodeOutputRecords(1).OutputComplete();
            return;
        default:
            break;
        }
    }
}

[Shader("node")] [NodeLaunch("thread")]
void leaf(ThreadNodeInputRecord<R> input) { }
