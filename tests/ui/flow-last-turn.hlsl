// Records that the last iteration of a loop requests, and handles in arrays of which some are completed.
struct R { uint x; };
cbuffer Settings { uint Count; bool A; };
#define THREAD(NAME) [Shader("node")] [NodeLaunch("thread")] void NAME

THREAD(rotated)([MaxRecords(8)] NodeOutput<R> sink)
{
    ThreadNodeOutputRecords<R> r = sink.GetThreadNodeOutputRecords(1);
    for (uint k = 0; k < 3; ++k) {
        r.Get().x = k;
        r.OutputComplete();
        r = sink.GetThreadNodeOutputRecords(1); //~ WARN WG0341
    }
}

// For any number of iterations.
THREAD(some)([MaxRecords(8)] NodeOutput<R> sink)
{
    ThreadNodeOutputRecords<R> r = sink.GetThreadNodeOutputRecords(1);
    while (A) {
        r.OutputComplete();
        r = sink.GetThreadNodeOutputRecords(1); //~ WARN WG0341
        r.Get().x = 1;
    }
}

// The first iteration has nothing to complete.
THREAD(fromNothing)([MaxRecords(8)] NodeOutput<R> sink)
{
    ThreadNodeOutputRecords<R> r;
    for (uint k = 0; k < 4; ++k) {
        r.OutputComplete();
        r = sink.GetThreadNodeOutputRecords(1); //~ WARN WG0341
        r.Get().x = k;
    }
}

struct Batch { ThreadNodeOutputRecords<R> records; uint used; };

THREAD(batches)([MaxRecords(8)] NodeOutput<R> sink)
{
    Batch b;
    b.used = 0;
    b.records = sink.GetThreadNodeOutputRecords(4);
    for (uint k = 0; k < Count; ++k) {
        if (b.used == 4) {
            b.records.OutputComplete();
            b.records = sink.GetThreadNodeOutputRecords(4); //~ WARN WG0341
            b.used = 0;
        }
        b.records.Get(b.used).x = k;
        b.used++;
    }
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(32, 1, 1)]
void groups(uint t : SV_GroupIndex, [MaxRecords(160)] NodeOutput<R> sink)
{
    GroupNodeOutputRecords<R> r = sink.GetGroupNodeOutputRecords(32);
    for (uint k = 0; k < 4; ++k) {
        r.OutputComplete();
        r = sink.GetGroupNodeOutputRecords(32); //~ WARN WG0341
        r.Get(t).x = k;
    }
}

THREAD(array)([MaxRecords(8)] NodeOutput<R> sink)
{
    ThreadNodeOutputRecords<R> h[4];
    for (uint k = 0; k < 4; ++k) {
        h[k] = sink.GetThreadNodeOutputRecords(1); //~ WARN WG0341
        h[k].Get().x = k;
    }
    for (uint q = 0; q < 3; ++q)
        h[q].OutputComplete();
}

THREAD(arrayOfTwo)([MaxRecords(1)] [NodeID("sink")] NodeOutput<R> o, [MaxRecords(1)] [NodeID("sink")] NodeOutput<R> p)
{
    ThreadNodeOutputRecords<R> h[2];
    h[0] = o.GetThreadNodeOutputRecords(1);
    h[1] = p.GetThreadNodeOutputRecords(1); //~ ERROR WG0340
    for (uint k = 0; k < 2; ++k)
        h[k].Get().x = k;
    for (uint n = 0; n < 1; ++n)
        h[n].OutputComplete();
}

// ---- near misses

THREAD(behind)([MaxRecords(8)] NodeOutput<R> sink)
{
    ThreadNodeOutputRecords<R> r = sink.GetThreadNodeOutputRecords(1);
    for (uint k = 0; k < 3; ++k) {
        r.Get().x = k;
        r.OutputComplete();
        r = sink.GetThreadNodeOutputRecords(1);
    }
    r.OutputComplete();
}

THREAD(notTheLast)([MaxRecords(8)] NodeOutput<R> sink)
{
    ThreadNodeOutputRecords<R> r = sink.GetThreadNodeOutputRecords(1);
    for (uint k = 0; k < 4; ++k) {
        r.Get().x = k;
        r.OutputComplete();
        if (k < 3)
            r = sink.GetThreadNodeOutputRecords(1);
    }
}

THREAD(lastOfAll)([MaxRecords(4)] NodeOutput<R> sink)
{
    uint total = min(Count, 4);
    if (total == 0)
        return;
    ThreadNodeOutputRecords<R> r = sink.GetThreadNodeOutputRecords(total);
    for (uint k = 0; k < total; ++k) {
        r.Get(k).x = k;
        if (k + 1 == total)
            r.OutputComplete();
    }
}

THREAD(wholeArray)([MaxRecords(8)] NodeOutput<R> sink)
{
    ThreadNodeOutputRecords<R> h[4];
    for (uint k = 0; k < 4; ++k)
        h[k] = sink.GetThreadNodeOutputRecords(1);
    for (uint q = 0; q < 4; ++q)
        h[3 - q].OutputComplete();
}

// Exactly as many as were requested, though the number is unknown.
THREAD(openArray)([MaxRecords(8)] NodeOutput<R> sink)
{
    ThreadNodeOutputRecords<R> h[4];
    for (uint k = 0; k < Count; ++k)
        h[k] = sink.GetThreadNodeOutputRecords(1);
    for (uint q = 0; q < Count; ++q)
        h[q].OutputComplete();
}

THREAD(sink)(ThreadNodeInputRecord<R> i) { }
