// Causes of divergence that show later; and waves as parts of groups.
struct R { uint x; };
cbuffer Settings { uint Count; bool A; };
RWStructuredBuffer<uint> Buf;
groupshared uint Shared;
#define GROUP(N) [Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(4, 1, 1)] [NumThreads(N, 1, 1)] void

uint limit(uint t) { if (t > 3) return 1; return 2; }
bool skips(uint t)
{
    for (uint n = 0; n < 4; n++) {
        if (n == t)
            return true;
        Shared += n;
    }
    return false;
}
void sends(uint t, NodeOutput<R> o)
{
    for (uint n = 0; n < Count; n++) {
        if (Buf[n] == t)
            return;
        o.GetGroupNodeOutputRecords(1).OutputComplete(); //~ WARN WG0345
    }
    o.GetGroupNodeOutputRecords(1).OutputComplete();
}

GROUP(64) inLoop(uint t : SV_GroupIndex, [MaxRecords(64)] [NodeID("sink")] NodeOutput<R> one)
{
    for (uint n = 0; n < Count; n++)
        sends(t, one);
}

GROUP(64) byValue(uint t : SV_GroupIndex, [MaxRecords(64)] [NodeID("sink")] NodeOutput<R> one)
{
    for (uint n = 0; n < limit(t); n++)
        one.GetGroupNodeOutputRecords(1).OutputComplete(); //~ WARN WG0345
}

GROUP(64) byFlag(uint t : SV_GroupIndex, [MaxRecords(64)] [NodeID("sink")] NodeOutput<R> one)
{
    bool wants = false;
    if (t < 4)
        wants = true;
    if (wants)
        one.GetGroupNodeOutputRecords(1).OutputComplete(); //~ WARN WG0345
}

GROUP(64) bySkip(uint t : SV_GroupIndex, [MaxRecords(64)] [NodeID("sink")] NodeOutput<R> one)
{
    if (skips(t))
        return;
    one.GetGroupNodeOutputRecords(1).OutputComplete(); //~ WARN WG0345
}

// One mistake: the remaining threads agree on `more`, and on the handle.
GROUP(64) both(uint t : SV_GroupIndex, [MaxRecords(64)] [NodeID("sink")] NodeOutput<R> one)
{
    GroupNodeOutputRecords<R> a = one.GetGroupNodeOutputRecords(1);
    GroupNodeOutputRecords<R> b = one.GetGroupNodeOutputRecords(1);
    GroupNodeOutputRecords<R> c = a;
    b.OutputComplete();
    if (t >= Count)
        return;
    bool more = A && Buf[Count] / Count > 4;
    if (more)
        c = a;
    c.Get().x = 1;
    GroupNodeOutputRecords<R> r = one.GetGroupNodeOutputRecords(more ? 1 : 0); //~ WARN WG0345
    r.OutputComplete();
    a.OutputComplete();
}

// The values that the remaining threads store differ when all threads reconverge.
GROUP(64) again(uint t : SV_GroupIndex, [MaxRecords(64)] [NodeID("sink")] NodeOutput<R> one)
{
    uint last = 0;
    for (uint n = 0; n < Count; n++) {
        if (n == t)
            break;
        last = n;
    }
    one.GetGroupNodeOutputRecords(last).OutputComplete(); //~ WARN WG0346
}

// ---- waves

GROUP(32) wave(uint t : SV_GroupIndex, [MaxRecords(64)] [NodeID("sink")] NodeOutput<R> one)
{
    one.GetGroupNodeOutputRecords(WaveActiveCountBits(t < Count)).OutputComplete(); //~ WARN WG0346
    if (WaveActiveAnyTrue(t == Count)) {
        one.GetGroupNodeOutputRecords(1).OutputComplete(); //~ WARN WG0345
        GroupMemoryBarrierWithGroupSync(); //~ WARN WG0353
    }
}

[WaveSize(4, 32)] GROUP(64) waves(uint t : SV_GroupIndex, [MaxRecords(64)] [NodeID("sink")] NodeOutput<R> one)
{
    if (WaveReadLaneFirst(t) == Count)
        one.GetGroupNodeOutputRecords(1).OutputComplete(); //~ WARN WG0345
}

[WaveSize(16, 64)] GROUP(32) atLeast(uint t : SV_GroupIndex, [MaxRecords(64)] [NodeID("sink")] NodeOutput<R> one)
{
    GroupNodeOutputRecords<R> a = one.GetGroupNodeOutputRecords(1);
    GroupNodeOutputRecords<R> b = one.GetGroupNodeOutputRecords(1);
    GroupNodeOutputRecords<R> c = a;
    if (WaveActiveAllTrue(t < Count))
        c = b;
    c.Get().x = 1; //~ WARN WG0347
    a.OutputComplete();
    b.OutputComplete();
}

// ---- near misses

[WaveSize(32)] GROUP(32) oneWave(uint t : SV_GroupIndex, [MaxRecords(64)] [NodeID("sink")] NodeOutput<R> one)
{
    if (WaveActiveAnyTrue(t == Count)) {
        one.GetGroupNodeOutputRecords(WaveActiveCountBits(t < Count)).OutputComplete();
        GroupMemoryBarrierWithGroupSync();
    }
}

[WaveSize(32, 64)] GROUP(20) alwaysOne(uint t : SV_GroupIndex, [MaxRecords(64)] [NodeID("sink")] NodeOutput<R> one)
{
    one.GetGroupNodeOutputRecords(WaveReadLaneFirst(t)).OutputComplete();
}

GROUP(4) four(uint t : SV_GroupIndex, [MaxRecords(64)] [NodeID("sink")] NodeOutput<R> one)
{
    one.GetGroupNodeOutputRecords(WaveActiveCountBits(t < Count)).OutputComplete();
}

// A value that is uniform in the group is uniform in each wave.
GROUP(64) scalar([MaxRecords(64)] [NodeID("sink")] NodeOutput<R> one)
{
    uint n = WaveReadLaneFirst(Buf[Count]);
    one.GetGroupNodeOutputRecords(n).OutputComplete();
    if (WaveActiveAnyTrue(Buf[0] > 3))
        one.GetGroupNodeOutputRecords(1).OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")]
void alone(ThreadNodeInputRecord<R> i, [MaxRecords(1)] [NodeID("sink")] NodeOutput<R> one)
{
    if (WaveActiveAnyTrue(i.Get().x == Count))
        one.GetThreadNodeOutputRecords(1).OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")] void sink(ThreadNodeInputRecord<R> i) { }
