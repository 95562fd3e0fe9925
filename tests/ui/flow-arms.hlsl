//! library
// Threads that leave in one arm of a branch that their group takes together, and code in the other arm and after the branch.
struct R { uint kind; };
struct [NodeTrackRWInputSharing] Shared { uint3 grid : SV_DispatchGrid; };

cbuffer Settings { uint Count; bool Extra; };
StructuredBuffer<uint> In;
RWStructuredBuffer<uint> Out;

// ---- near misses: no group is in two arms

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(4, 1, 1)] [NumThreads(64, 1, 1)]
void otherArm(DispatchNodeInputRecord<R> i, uint t : SV_GroupIndex, [MaxRecords(64)] NodeOutput<R> sink)
{
    if (i.Get().kind == 0) {
        if (t > 4)
            return;
        Out[t] = 2;
    } else {
        if (t > 9)
            Out[t] = 1;
        GroupMemoryBarrierWithGroupSync();
        sink.GetGroupNodeOutputRecords(1).OutputComplete();
    }
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(4, 1, 1)] [NumThreads(64, 1, 1)]
void cases(DispatchNodeInputRecord<R> i, uint t : SV_GroupIndex, [MaxRecords(256)] EmptyNodeOutput done)
{
    for (uint n = 0; n < Count; ++n) {
        switch (i.Get().kind + n) {
        case 0:
            if (t > 4)
                continue;
            Out[t] = n;
            break;
        case 1:
            if (In[t] == 0)
                break;
            Out[t] = 3;
            break;
        default:
            if (t > 9)
                Out[t] = 1;
            done.ThreadIncrementOutputCount(1);
            break;
        }
    }
    done.ThreadIncrementOutputCount(1);
}

// The whole group returns where some of it do before the others.
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(4, 1, 1)] [NumThreads(64, 1, 1)]
void allGone(DispatchNodeInputRecord<R> i, uint t : SV_GroupIndex, [MaxRecords(256)] EmptyNodeOutput done)
{
    if (i.Get().kind == 0) {
        if (t > 4)
            return;
        Out[t] = 2;
        return;
    }
    for (uint n = 0; n < Count; ++n) {
        if (In[n] == 3) {
            if (t > 4)
                break;
            Out[t] = 2;
            break;
        }
        if (t > n)
            Out[t] = 1;
        done.ThreadIncrementOutputCount(1);
    }
    done.ThreadIncrementOutputCount(1);
}

// ---- calls that these threads are missing from

// The whole group is in one arm, and other groups are in the other: a call for the whole grid is not made by all.
[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(4, 1, 1)] [NumThreads(64, 1, 1)]
void otherGroups(RWDispatchNodeInputRecord<Shared> i, uint t : SV_GroupIndex, uint3 g : SV_GroupID)
{
    if (g.x == 3) {
        if (t > 4)
            return;
        Out[t] = 2;
        return;
    }
    i.FinishedCrossGroupSharing(); //~ WARN WG0351
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(4, 1, 1)] [NumThreads(64, 1, 1)]
void behind(DispatchNodeInputRecord<R> i, uint t : SV_GroupIndex, [MaxRecords(256)] EmptyNodeOutput done)
{
    if (i.Get().kind == 0) {
        if (t > 4)
            return;
        Out[t] = 2;
    } else {
        done.ThreadIncrementOutputCount(1);
    }
    if (t > 9)
        Out[t] = 1;
    done.ThreadIncrementOutputCount(1); //~ WARN WG0345
}

// Some return and the others continue after the loop, or with its next iteration.
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(4, 1, 1)] [NumThreads(64, 1, 1)]
void whereTheyLead(DispatchNodeInputRecord<R> i, uint t : SV_GroupIndex, [MaxRecords(256)] EmptyNodeOutput done)
{
    for (uint n = 0; n < Count; ++n) {
        if (In[n] == 3) {
            if (t > 4)
                return;
            break;
        }
        if (t > n)
            Out[t] = 1;
        done.ThreadIncrementOutputCount(1);
    }
    done.ThreadIncrementOutputCount(1); //~ WARN WG0345
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(4, 1, 1)] [NumThreads(64, 1, 1)]
void nextTurn(DispatchNodeInputRecord<R> i, uint t : SV_GroupIndex, [MaxRecords(256)] EmptyNodeOutput done)
{
    for (uint n = 0; n < Count; ++n) {
        if (In[n] == 3) {
            if (t > 4)
                return;
            continue;
        }
        done.ThreadIncrementOutputCount(1); //~ WARN WG0345
    }
}

// Only some threads of the group are in the arm that all leave: the others continue after it.
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(4, 1, 1)] [NumThreads(64, 1, 1)]
void someInside(DispatchNodeInputRecord<R> i, uint t : SV_GroupIndex, [MaxRecords(256)] EmptyNodeOutput done)
{
    if (t > 4) {
        if (i.Get().kind == 0)
            return;
        Out[t] = 1;
    }
    done.ThreadIncrementOutputCount(1); //~ WARN WG0345
}

[Shader("node")] [NodeLaunch("thread")]
void sink(ThreadNodeInputRecord<R> i) { }

[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(1, 1, 1)]
void done([MaxRecords(4)] EmptyNodeInput i) { }
