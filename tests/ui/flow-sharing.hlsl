// The end of sharing an input record among groups.
struct [NodeTrackRWInputSharing] R { uint3 grid : SV_DispatchGrid; uint x; };

cbuffer Settings { uint Count; bool Extra; };
groupshared bool Last;

[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry]
void root([MaxRecords(8)] [NodeArraySize(17)] NodeOutputArray<R> all)
{
    ThreadNodeOutputRecords<R> r = all[Count].GetThreadNodeOutputRecords(1);
    r.Get().grid = 1;
    r.OutputComplete();
}

bool isLast(RWDispatchNodeInputRecord<R> i) { return i.FinishedCrossGroupSharing(); }

#define NODE(index) [Shader("node")] [NodeID("all", index)] [NodeMaxDispatchGrid(64, 1, 1)] [NumThreads(64, 1, 1)]

NODE(0) void twice(RWDispatchNodeInputRecord<R> i)
{
    bool a = i.FinishedCrossGroupSharing();
    if (a && i.FinishedCrossGroupSharing()) //~ ERROR WG0350
        i.Get().x = 1;
}

NODE(1) void turns(RWDispatchNodeInputRecord<R> i)
{
    for (uint n = 0; n < Count; ++n)
        Last = i.FinishedCrossGroupSharing(); //~ WARN WG0350
}

NODE(13) void onOneWay(RWDispatchNodeInputRecord<R> i)
{
    if (Extra)
        i.FinishedCrossGroupSharing();
    i.FinishedCrossGroupSharing(); //~ WARN WG0350
}

NODE(14) void beside(RWDispatchNodeInputRecord<R> i)
{
    bool last = i.FinishedCrossGroupSharing();
    if (last || Extra)
        Last = i.Get().x == 1; //~ WARN WG0352
}

NODE(2) void groups(RWDispatchNodeInputRecord<R> i, uint3 g : SV_GroupID)
{
    if (g.x > 3)
        return;
    if (i.FinishedCrossGroupSharing()) //~ WARN WG0351
        i.Get().x = 1;
}

NODE(3) void threads(RWDispatchNodeInputRecord<R> i, uint t : SV_GroupIndex)
{
    if (t == 0) {
        Last = i.FinishedCrossGroupSharing(); //~ WARN WG0351
    }
}

NODE(4) void touched(RWDispatchNodeInputRecord<R> i)
{
    if (!isLast(i)) {
        i.Get().x = 1; //~ ERROR WG0352
        return;
    }
    i.Get().x = 2;
}

NODE(5) void ignored(RWDispatchNodeInputRecord<R> i)
{
    i.FinishedCrossGroupSharing();
    i.Get().x = 2; //~ WARN WG0352
}

NODE(6) void behind(RWDispatchNodeInputRecord<R> i)
{
    const bool last = isLast(i);
    if (last)
        i.Get().x = 2;
    i.Get().x = 3; //~ WARN WG0352
}

// A condition that has nothing to do with the result is no test of it; one that has may be.
NODE(11) void elsewhere(RWDispatchNodeInputRecord<R> i)
{
    bool last = i.FinishedCrossGroupSharing();
    if (last || Extra)
        i.Get().x = 1;
    if (Extra)
        i.Get().x = 2; //~ WARN WG0352
}

// ---- near misses

NODE(12) void taken(RWDispatchNodeInputRecord<R> i)
{
    bool mine = false;
    if (Extra) {
        if (i.FinishedCrossGroupSharing())
            mine = true;
    }
    if (mine)
        Last = i.Get().x == 1;
    for (uint n = 0; n < 2; ++n) {
        if (!mine)
            break;
        Last = i.Get().x == n;
    }
}

NODE(7) void tested(RWDispatchNodeInputRecord<R> i, uint t : SV_GroupIndex, uint3 g : SV_GroupID)
{
    if (g.x == 1 && t == 2)
        InterlockedAdd(i.Get().x, 1);
    if (Extra)
        Last = false;
    Barrier(NODE_INPUT_MEMORY, DEVICE_SCOPE | GROUP_SYNC);
    if (!i.FinishedCrossGroupSharing())
        return;
    Last = i.Get().x == 2;
}

NODE(8) void shared(RWDispatchNodeInputRecord<R> i, uint t : SV_GroupIndex)
{
    bool last = isLast(i);
    if (t == 0)
        Last = last;
    GroupMemoryBarrierWithGroupSync();
    if (Last == false)
        return;
    Last = i.Get().x == 2;
}

NODE(9) void stored(RWDispatchNodeInputRecord<R> i)
{
    const bool done = isLast(i) == false;
    uint x = 0;
    if (done)
        x = 1;
    else
        x = i.Get().x;
    Last = x == 1;
}

NODE(10) void either(RWDispatchNodeInputRecord<R> i)
{
    if (Extra) {
        if (i.FinishedCrossGroupSharing())
            Last = i.Get().x == 1;
    } else {
        if (i.FinishedCrossGroupSharing())
            Last = i.Get().x == 2;
    }
}

// The conditions exclude each other.
NODE(15) void oneOfBoth(RWDispatchNodeInputRecord<R> i)
{
    bool last = false;
    if (Extra)
        last = i.FinishedCrossGroupSharing();
    if (!Extra)
        last = i.FinishedCrossGroupSharing();
    if (last && Count > 2)
        Last = i.Get().x == 2;
}

NODE(16) void notBoth(RWDispatchNodeInputRecord<R> i)
{
    bool other = !i.FinishedCrossGroupSharing();
    if (!(other || Count == 7))
        Last = i.Get().x == 2;
    if (Extra && !other)
        Last = i.Get().x == 3;
}
