//! hints
// Records are gathered into groups by MaxRecords alone.
struct R { uint value; };
RWStructuredBuffer<uint> sum : register(u0);

[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(32, 1, 1)]
void unsaid(GroupNodeInputRecords<R> batch, uint lane : SV_GroupIndex) //~ WARN WG0600
{
    if (lane < batch.Count())
        InterlockedAdd(sum[0], batch[lane].value);
}

[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(32, 1, 1)]
void one([MaxRecords(1)] RWGroupNodeInputRecords<R> batch) //~ HINT WG0600
{
    InterlockedAdd(sum[0], batch[0].value);
}

// Without an input: a group for each record, too.
[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(32, 1, 1)]
void nothing() //~ WARN WG0600
{
    InterlockedAdd(sum[0], 1);
}

[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(32, 1, 1)]
void started([MaxRecords(1)] [NodeID("nothing")] EmptyNodeOutput o) //~ HINT WG0600
{
    o.GroupIncrementOutputCount(1);
}
