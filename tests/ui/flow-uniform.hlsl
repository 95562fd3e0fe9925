// Calls for whole groups, and divergent threads.
struct R { uint x; };

cbuffer Settings { uint Count; bool Extra; };
RWStructuredBuffer<uint> Counters;
groupshared uint Shared;

void sendOne(NodeOutput<R> o, uint x)
{
    ThreadNodeOutputRecords<R> r = o.GetThreadNodeOutputRecords(1); //~ WARN WG0345
    r.Get().x = x;
    r.OutputComplete();
}

void sendGroup(NodeOutput<R> o) { o.GetGroupNodeOutputRecords(1).OutputComplete(); }
void sendOther(NodeOutput<R> o) { o.GetGroupNodeOutputRecords(1).OutputComplete(); } //~ WARN WG0345

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(4, 1, 1)] [NumThreads(64, 1, 1)]
void condition(uint t : SV_GroupIndex, [MaxRecords(64)] NodeOutput<R> sink)
{
    if (t < 8) {
        ThreadNodeOutputRecords<R> r = sink.GetThreadNodeOutputRecords(1); //~ WARN WG0345
        r.Get().x = t;
        r.OutputComplete();
    }
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(4, 1, 1)] [NumThreads(64, 1, 1)]
void returned(uint3 t : SV_DispatchThreadID, [MaxRecords(64)] NodeOutput<R> sink, [MaxRecords(1)] EmptyNodeOutput done)
{
    if (t.x >= Count)
        return;
    ThreadNodeOutputRecords<R> r = sink.GetThreadNodeOutputRecords(1); //~ WARN WG0345
    r.Get().x = t.x;
    r.OutputComplete();
    done.GroupIncrementOutputCount(1);
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(4, 1, 1)] [NumThreads(64, 1, 1)]
void helper(uint t : SV_GroupIndex, [MaxRecords(64)] NodeOutput<R> sink)
{
    uint old;
    InterlockedAdd(Counters[0], 1, old);
    if (old == 63)
        sendOne(sink, t);
}

[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(64, 1, 1)]
void turns([MaxRecords(64)] GroupNodeInputRecords<R> i, uint t : SV_GroupIndex, [MaxRecords(640)] EmptyNodeOutput done)
{
    for (uint n = 0; n < i.Get(t).x; ++n)
        done.ThreadIncrementOutputCount(1); //~ WARN WG0345
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(4, 1, 1)] [NumThreads(64, 1, 1)]
void first([MaxRecords(64)] NodeOutput<R> sink)
{
    if (WaveIsFirstLane())
        sink.GetGroupNodeOutputRecords(1).OutputComplete(); //~ WARN WG0345
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(4, 1, 1)] [NumThreads(64, 1, 1)]
void arguments(uint t : SV_GroupIndex, [MaxRecords(64)] NodeOutput<R> sink, [MaxRecords(4)] EmptyNodeOutput done)
{
    GroupNodeOutputRecords<R> r = sink.GetGroupNodeOutputRecords(t < 3 ? 1 : 2); //~ WARN WG0346
    r.OutputComplete();
    done.GroupIncrementOutputCount(t & 1); //~ WARN WG0346
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(4, 1, 1)] [NumThreads(64, 1, 1)]
void handles(uint t : SV_GroupIndex, [MaxRecords(128)] NodeOutput<R> sink)
{
    ThreadNodeOutputRecords<R> a = sink.GetThreadNodeOutputRecords(1);
    ThreadNodeOutputRecords<R> b = sink.GetThreadNodeOutputRecords(1);
    ThreadNodeOutputRecords<R> c = a;
    if (t == 3)
        c = b;
    c.Get().x = t; //~ WARN WG0347
    a.OutputComplete();
    b.OutputComplete();
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(4, 1, 1)] [NumThreads(64, 1, 1)]
void meeting(uint t : SV_GroupIndex)
{
    for (uint n = 0; n < t; ++n) {
        InterlockedAdd(Shared, n);
        GroupMemoryBarrierWithGroupSync(); //~ WARN WG0353
    }
    if (t == Count)
        Barrier(GROUP_SHARED_MEMORY, GROUP_SYNC | GROUP_SCOPE); //~ WARN WG0353
}

// ---- near misses

// A barrier without sync is for each thread, and at one with it some return too early.
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(4, 1, 1)] [NumThreads(64, 1, 1)]
void met(uint t : SV_GroupIndex)
{
    if (t == Count)
        GroupMemoryBarrier();
    for (uint n = 0; n < Count; ++n)
        GroupMemoryBarrierWithGroupSync();
    if (t > Count)
        return;
    InterlockedAdd(Shared, t);
    GroupMemoryBarrierWithGroupSync(); //~ WARN WG0353
}

// Every thread asks, some of them for nothing.
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(4, 1, 1)] [NumThreads(64, 1, 1)]
void counts(uint t : SV_GroupIndex, uint3 g : SV_GroupID, [MaxRecords(64)] NodeOutput<R> sink)
{
    if (g.x >= Count || Counters[g.x] == 0 || Shared == 3)
        return;
    const bool sends = t < 8;
    ThreadNodeOutputRecords<R> r = sink.GetThreadNodeOutputRecords(sends ? 1 : 0);
    if (sends)
        r.Get().x = t;
    if (WaveIsFirstLane())
        r.Get().x = 3;
    r.OutputComplete();
}

uint limited(uint x)
{
    for (uint n = 0; n < 10; ++n) {
        if (n == x)
            return n * 2;
    }
    return x;
}

// Threads that left a loop or a function early are there again after it.
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(4, 1, 1)] [NumThreads(64, 1, 1)]
void back(uint t : SV_GroupIndex, [MaxRecords(64)] NodeOutput<R> sink)
{
    uint x = limited(t);
    for (uint n = 0; n < Count; ++n) {
        if (n == t)
            break;
        if (x == n)
            continue;
        x += n;
    }
    switch (t) {
    case 0: x += 1; break;
    default: if (x > 3) break; x += 2; break;
    }
    ThreadNodeOutputRecords<R> r = sink.GetThreadNodeOutputRecords(1);
    r.Get().x = x;
    r.OutputComplete();
}

// A variable that was different is the same again; an index below the size of the group always is.
struct Ids { uint3 group : SV_GroupID; uint3 thread : SV_GroupThreadID; };
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(4, 1, 1)] [NumThreads(64, 1, 1)] [WaveSize(64)]
void same(Ids ids, [MaxRecords(64)] NodeOutput<R> sink)
{
    uint n = ids.thread.x;
    bool any = n == Count;
    any = WaveActiveAnyTrue(any);
    if (ids.group.x == 3 || any || ids.thread.y == 0) {
        n = 5;
        if (ids.thread.x < 64 && n == 5 && ids.thread.x / 64 == 0) {
            ThreadNodeOutputRecords<R> r = sink.GetThreadNodeOutputRecords(1);
            r.Get().x = n;
            r.OutputComplete();
        }
    }
}

// Each thread is a group.
[Shader("node")] [NodeLaunch("thread")]
void alone(ThreadNodeInputRecord<R> i, [MaxRecords(1)] NodeOutput<R> sink)
{
    if (WaveIsFirstLane() && i.Get().x == WaveGetLaneIndex()) {
        ThreadNodeOutputRecords<R> r = sink.GetThreadNodeOutputRecords(1);
        r.Get().x = 2;
        r.OutputComplete();
    }
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(4, 1, 1)] [NumThreads(1, 1, 1)]
void single(uint t : SV_GroupIndex, [MaxRecords(1)] NodeOutput<R> sink)
{
    uint old;
    InterlockedAdd(Counters[1], 1, old);
    if (old == 3) {
        GroupNodeOutputRecords<R> r = sink.GetGroupNodeOutputRecords(old & 1);
        r.OutputComplete();
    }
}

// Parts of a thread's number in the grid that are uniform in its group.
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(4, 2, 1)] [NumThreads(32, 2, 1)]
void ofGroup(uint3 d : SV_DispatchThreadID, uint3 t : SV_GroupThreadID, [MaxRecords(64)] NodeOutput<R> sink)
{
    if (d.x / 32 == 2 && d.x / 64 == 1 && (d.x >> 5) == 2)
        sendGroup(sink);
    if (d.x - t.x == 64 && (d.xy - t.xy).y == 2)
        sendGroup(sink);
    if ((d.x & ~31u) == 32)
        sendGroup(sink);
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(4, 2, 1)] [NumThreads(32, 2, 1)]
void ofThreads(uint3 d : SV_DispatchThreadID, uint3 t : SV_GroupThreadID, [MaxRecords(64)] NodeOutput<R> sink)
{
    if (d.x / 48 == 1)
        sendOther(sink);
    if (d.x - t.y == 64)
        sendOther(sink);
    if ((d.x & ~15u) == 32 || (d.x >> 4) == 1 || t.x / 16 == 1)
        sendOther(sink);
}

[Shader("node")] [NodeLaunch("thread")]
void sink(ThreadNodeInputRecord<R> i) { }

[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(1, 1, 1)]
void done([MaxRecords(4)] EmptyNodeInput i) { }
