// Barriers after returns of some threads.
struct R { uint count; };
RWStructuredBuffer<uint> Results;
groupshared uint Shared[64];
#define GROUP(NAME) [Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(4, 1, 1)] [NumThreads(64, 1, 1)] void NAME

GROUP(early)(DispatchNodeInputRecord<R> i, uint t : SV_GroupIndex)
{
    if (t >= i.Get().count)
        return;
    Shared[t] = t;
    GroupMemoryBarrierWithGroupSync(); //~ WARN WG0353
    Results[t] = Shared[0];
    // Again, these threads are missing.
    AllMemoryBarrierWithGroupSync();
}

bool skips(uint t, uint count) { return t >= count; }

GROUP(byHelper)(DispatchNodeInputRecord<R> i, uint t : SV_GroupIndex)
{
    if (skips(t, i.Get().count)) {
        Results[t] = 0;
        return;
    }
    Barrier(GROUP_SHARED_MEMORY, GROUP_SCOPE | GROUP_SYNC); //~ WARN WG0353
    Results[t] = Shared[0];
}

// ---- near misses

GROUP(wholeGroups)(DispatchNodeInputRecord<R> i, uint t : SV_GroupIndex, uint3 g : SV_GroupID)
{
    if (g.x >= i.Get().count)
        return;
    GroupMemoryBarrierWithGroupSync();
    Results[t] = Shared[0];
}

GROUP(behind)(DispatchNodeInputRecord<R> i, uint t : SV_GroupIndex)
{
    GroupMemoryBarrierWithGroupSync();
    if (t >= i.Get().count)
        return;
    Results[t] = Shared[0];
}

// Memory is ordered, and nobody waits.
GROUP(noWait)(DispatchNodeInputRecord<R> i, uint t : SV_GroupIndex)
{
    if (t >= i.Get().count)
        return;
    Shared[t] = t;
    GroupMemoryBarrier();
}

GROUP(backAgain)(DispatchNodeInputRecord<R> i, uint t : SV_GroupIndex)
{
    for (uint k = 0; k < i.Get().count; ++k) {
        if (t > k)
            continue;
        Results[k] = t;
    }
    GroupMemoryBarrierWithGroupSync();
    Results[t] = Shared[0];
}

[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(1, 1, 1)]
void alone([MaxRecords(8)] GroupNodeInputRecords<R> i, uint t : SV_GroupIndex)
{
    if (t >= i[0].count)
        return;
    GroupMemoryBarrierWithGroupSync();
}
