// Numbers of records that are known.
struct R { uint x; };

cbuffer Settings { uint Count; };

void ask(NodeOutput<R> o, uint n)
{
    ThreadNodeOutputRecords<R> r = o.GetThreadNodeOutputRecords(n);
    r.OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")]
void tooMany([MaxRecords(2)] NodeOutput<R> sink)
{
    ThreadNodeOutputRecords<R> r = sink.GetThreadNodeOutputRecords(3); //~ WARN WG0348
    r.OutputComplete();
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(8, 4, 1)]
void group(uint t : SV_GroupIndex, [MaxRecords(48)] NodeOutput<R> sink, [MaxRecords(4)] EmptyNodeOutput done)
{
    ask(sink, 2); //~ WARN WG0348
    done.GroupIncrementOutputCount(5); //~ WARN WG0348
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(8, 1, 1)]
void sum(uint t : SV_GroupIndex, [MaxRecords(12)] NodeOutput<R> sink, [MaxRecordsSharedWith(sink)] EmptyNodeOutput done)
{
    GroupNodeOutputRecords<R> r = sink.GetGroupNodeOutputRecords(3);
    if (Count > 3)
        done.GroupIncrementOutputCount(1);
    else
        done.GroupIncrementOutputCount(2);
    r.OutputComplete();
    done.ThreadIncrementOutputCount(1);
    sink.GetGroupNodeOutputRecords(1).OutputComplete(); //~ WARN WG0348
}

[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(8, 1, 1)]
void indexes([MaxRecords(4)] GroupNodeInputRecords<R> i, [MaxRecords(8)] NodeOutput<R> sink)
{
    GroupNodeOutputRecords<R> r = sink.GetGroupNodeOutputRecords(2);
    r.Get(1).x = i[3].x + i.Get(4).x; //~ WARN WG0349
    r[2].x = 3; //~ WARN WG0349
    GroupNodeOutputRecords<R> some = sink.GetGroupNodeOutputRecords(min(Count, 2));
    some[8].x = 1; //~ WARN WG0349
    r.OutputComplete();
    some.OutputComplete();
}

void askGroup(NodeOutput<R> o, uint n)
{
    o.GetGroupNodeOutputRecords(n).OutputComplete(); //~ WARN WG0226
}

[Shader("node")] [NodeLaunch("thread")]
void noGroup([MaxRecords(2)] NodeOutput<R> sink) { askGroup(sink, 1); }

// Counts that are one of several numbers, and loops with a known number of iterations.
#define THREAD(NAME) [Shader("node")] [NodeLaunch("thread")] void NAME

THREAD(turns)([MaxRecords(2)] NodeOutput<R> sink)
{
    for (uint k = 0; k < 4; k++) {
        ThreadNodeOutputRecords<R> r = sink.GetThreadNodeOutputRecords(1); //~ WARN WG0348
        r.Get().x = 1;
        r.OutputComplete();
    }
}

THREAD(idiom)([MaxRecords(2)] NodeOutput<R> sink)
{
    const bool sends = Count > 7;
    ThreadNodeOutputRecords<R> r = sink.GetThreadNodeOutputRecords(sends ? 5 : 0); //~ WARN WG0348
    if (sends)
        r.Get().x = 1;
    r.OutputComplete();
}

[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(4, 1, 1)]
void choices(uint t : SV_GroupIndex, [MaxRecords(2)] NodeOutput<R> sink, [MaxRecords(8)] EmptyNodeOutput done)
{
    sink.GetGroupNodeOutputRecords(select(Count > 7, 3, 4)).OutputComplete(); //~ WARN WG0348
    done.ThreadIncrementOutputCount(Count ? 3 : 0); //~ WARN WG0348
    done.ThreadIncrementOutputCount(t == 3 ? 9 : 0); //~ WARN WG0348
}

[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(4, 1, 1)]
void assigned([MaxRecords(2)] NodeOutput<R> sink, [MaxRecords(2)] [NodeID("sink")] NodeOutput<R> other)
{
    uint n = 0;
    if (Count)
        n = 3;
    sink.GetGroupNodeOutputRecords(n).OutputComplete(); //~ WARN WG0348
    switch (Count) {
    case 0: n = 1; break;
    case 1: n = 2; break;
    default: n = 4; break;
    }
    other.GetGroupNodeOutputRecords(n).OutputComplete(); //~ WARN WG0348
}

[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(4, 1, 1)]
void increments([MaxRecords(8)] EmptyNodeOutput done)
{
    [unroll]
    for (uint k = 0; k < 4; k++)
        done.ThreadIncrementOutputCount(1); //~ WARN WG0348
}

THREAD(indexInTurns)([MaxRecords(2)] NodeOutput<R> sink)
{
    ThreadNodeOutputRecords<R> r = sink.GetThreadNodeOutputRecords(2);
    [unroll]
    for (uint k = 0; k < 4; k++)
        r[k].x = k; //~ WARN WG0349
    r.OutputComplete();
}

// ---- near misses

THREAD(turnsThatFit)([MaxRecords(4)] NodeOutput<R> sink, [MaxRecords(1)] [NodeID("sink")] NodeOutput<R> other)
{
    for (uint k = 0; k < 4; k++) {
        ThreadNodeOutputRecords<R> r = sink.GetThreadNodeOutputRecords(1);
        r.Get().x = k;
        r.OutputComplete();
    }
    // The number of iterations is unknown, and one iteration fits.
    for (uint n = 0; n < Count; n++)
        other.GetThreadNodeOutputRecords(1).OutputComplete();
}

THREAD(leavesInTime)([MaxRecords(2)] NodeOutput<R> sink)
{
    for (uint k = 0; k < 4; k++) {
        if (k == Count)
            break;
        sink.GetThreadNodeOutputRecords(1).OutputComplete();
    }
    for (uint n = 0; n < 4; n++)
        sink.GetThreadNodeOutputRecords(n == 1 && Count ? 2 : 0).OutputComplete();
}

[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(4, 1, 1)]
void choicesThatFit(uint t : SV_GroupIndex, [MaxRecords(8)] NodeOutput<R> sink, [MaxRecords(4)] EmptyNodeOutput done)
{
    uint n = 0;
    if (Count)
        n = 3;
    sink.GetGroupNodeOutputRecords(n).OutputComplete();
    sink.GetGroupNodeOutputRecords(Count ? 0 : 8).OutputComplete();
    done.ThreadIncrementOutputCount(t == 3 ? 4 : 0);
}

THREAD(guardedIndex)([MaxRecords(2)] NodeOutput<R> sink)
{
    uint count = min(Count, 2);
    ThreadNodeOutputRecords<R> r = sink.GetThreadNodeOutputRecords(count);
    for (uint k = 0; k < 4; k++) {
        if (k < count)
            r[k].x = k;
    }
    [unroll]
    for (uint n = 0; n < 4; n++) {
        if (n >= count)
            break;
        r[n].x = n;
    }
    r.OutputComplete();
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(8, 1, 1)]
void exact(uint t : SV_GroupIndex, [MaxRecords(12)] NodeOutput<R> sink, [MaxRecordsSharedWith(sink)] EmptyNodeOutput done)
{
    askGroup(sink, 3);
    if (Count > 3)
        askGroup(sink, 9);
    else
        done.ThreadIncrementOutputCount(1);
}

[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(8, 1, 1)]
void some([MaxRecords(4)] GroupNodeInputRecords<R> i, [MaxRecords(8)] NodeOutput<R> sink)
{
    GroupNodeOutputRecords<R> r = sink.GetGroupNodeOutputRecords(i.Count());
    for (uint n = 0; n < i.Count(); ++n)
        r[n].x = i[n].x;
    r[7].x = i[3].x;
    r.OutputComplete();
}

[[vk::constant_id(3)]] const uint Most = 4;
[Shader("node")] [NodeLaunch("thread")]
void specialised([MaxRecords(Most)] NodeOutput<R> sink)
{
    ThreadNodeOutputRecords<R> r = sink.GetThreadNodeOutputRecords(6);
    r.OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")]
void sink(ThreadNodeInputRecord<R> i) { }

[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(1, 1, 1)]
void done([MaxRecords(4)] EmptyNodeInput i) { }

// ---- elements of arrays of outputs

struct E { uint x; };

[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(4, 1, 1)]
void elements([MaxRecords(8)] [NodeArraySize(2)] [NodeID("element", 1)] NodeOutputArray<E> to)
{
    GroupNodeOutputRecords<E> last = to[1].GetGroupNodeOutputRecords(1);
    GroupNodeOutputRecords<E> r = to[2].GetGroupNodeOutputRecords(1); //~ WARN WG0349
    NodeOutput<E> taken = to[1 + 2];
    ThreadNodeOutputRecords<E> t = taken.GetThreadNodeOutputRecords(1); //~ WARN WG0349
    if (to[4].IsValid()) { } //~ WARN WG0349
    last.OutputComplete();
    r.OutputComplete();
    t.OutputComplete();
}

void count(EmptyNodeOutputArray to, uint n) { to[n].ThreadIncrementOutputCount(1); }

[Shader("node")] [NodeLaunch("thread")]
void emptyElements([MaxRecords(2)] [NodeArraySize(1)] [NodeID("empty")] EmptyNodeOutputArray to)
{
    count(to, 7); //~ WARN WG0349
}

// Unreachable requests, and requests for nothing; unknown indexes, and arrays without an end.
[Shader("node")] [NodeLaunch("thread")]
void noElements(
    [MaxRecords(2)] [NodeArraySize(2)] [NodeID("element", 1)] NodeOutputArray<E> to,
    [MaxRecords(2)] [UnboundedSparseNodes] [NodeID("element")] NodeOutputArray<E> open)
{
    const uint n = 5;
    if (n < 2)
        to[n].GetThreadNodeOutputRecords(1).OutputComplete();
    to[n].GetThreadNodeOutputRecords(n < 2 ? 1 : 0).OutputComplete();
    to[Count].GetThreadNodeOutputRecords(1).OutputComplete();
    open[n].GetThreadNodeOutputRecords(1).OutputComplete();
}

[[vk::constant_id(4)]] const uint Elements = 2;
[Shader("node")] [NodeLaunch("thread")]
void specialisedArray([MaxRecords(2)] [NodeArraySize(Elements)] [NodeID("element", 1)] NodeOutputArray<E> to)
{
    to[2].GetThreadNodeOutputRecords(1).OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")] [NodeID("element", 1)]
void element1(ThreadNodeInputRecord<E> i) { }

[Shader("node")] [NodeLaunch("thread")] [NodeID("element", 2)]
void element2(ThreadNodeInputRecord<E> i) { }

[Shader("node")] [NodeLaunch("thread")] [NodeID("empty", 0)]
void empty0() { }

// There are no more iterations than records, regardless of the requests in one.
[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(1, 1, 1)]
void eachInput([MaxRecords(2)] GroupNodeInputRecords<R> i, [MaxRecords(4)] NodeOutput<R> sink)
{
    for (uint k = 0; k < i.Count(); k++)
    {
        ThreadNodeOutputRecords<R> r = sink.GetThreadNodeOutputRecords(2);
        r.Get(0).x = i.Get(k).x;
        r.Get(1).x = k;
        r.OutputComplete();
    }
}
