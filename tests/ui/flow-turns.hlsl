// Iterations that certainly happen, and mistakes in some of them only.
struct R { uint x; uint y; };

StructuredBuffer<uint> In;
#define BATCHES 1

// ---- a call that is made once loses nothing

[Shader("node")] [NodeLaunch("thread")]
void once(ThreadNodeInputRecord<R> i, [MaxRecords(4)] NodeOutput<R> sink)
{
    ThreadNodeOutputRecords<R> r;
    for (uint k = 0; k < BATCHES; ++k)
        r = sink.GetThreadNodeOutputRecords(1);
    r.Get().x = 1;
    r.OutputComplete();
}

// The iterations of the outer loop complete the record.
[Shader("node")] [NodeLaunch("thread")]
void onceInEach(ThreadNodeInputRecord<R> i, [MaxRecords(4)] NodeOutput<R> sink)
{
    for (uint n = 0; n < 2; ++n) {
        ThreadNodeOutputRecords<R> r;
        for (uint k = 0; k < BATCHES; ++k)
            r = sink.GetThreadNodeOutputRecords(1);
        r.Get().x = n;
        r.OutputComplete();
    }
}

[Shader("node")] [NodeLaunch("thread")]
void twice(ThreadNodeInputRecord<R> i, [MaxRecords(4)] NodeOutput<R> sink)
{
    ThreadNodeOutputRecords<R> r;
    for (uint k = 0; k < BATCHES + 1; ++k)
        r = sink.GetThreadNodeOutputRecords(1); //~ WARN WG0341
    r.Get().x = 1;
    r.OutputComplete();
}

// ---- a condition that every iteration checks again

[Shader("node")] [NodeLaunch("thread")]
void sometimes(ThreadNodeInputRecord<R> i, [MaxRecords(8)] NodeOutput<R> sink)
{
    ThreadNodeOutputRecords<R> r = sink.GetThreadNodeOutputRecords(1);
    const bool flush = i.Get().x == 5;
    for (uint k = 0; k < 2; ++k) {
        if (flush) {
            r.OutputComplete();
            r = sink.GetThreadNodeOutputRecords(1);
            r.OutputComplete();
        }
        r.Get().x = 1; //~ WARN WG0342
    }
    r.OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")]
void sometimesInCases(ThreadNodeInputRecord<R> i, [MaxRecords(8)] NodeOutput<R> sink)
{
    ThreadNodeOutputRecords<R> r = sink.GetThreadNodeOutputRecords(1);
    for (uint k = 0; k < 2; ++k) {
        switch (In[i.Get().x]) {
        case 0:
            r.OutputComplete();
            r = sink.GetThreadNodeOutputRecords(1);
            r.OutputComplete();
            break;
        }
        r.Get().x = 1; //~ WARN WG0342
    }
    r.OutputComplete();
}

// A condition on the number of the iteration is certain.
[Shader("node")] [NodeLaunch("thread")]
void counted(ThreadNodeInputRecord<R> i, [MaxRecords(8)] NodeOutput<R> sink)
{
    ThreadNodeOutputRecords<R> r = sink.GetThreadNodeOutputRecords(1);
    for (uint k = 0; k < 2; ++k) {
        r.Get().x = 1; //~ ERROR WG0342
        if (k == 0)
            r.OutputComplete();
    }
}

// ---- only some threads complete: that is one mistake

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(2, 1, 1)] [NumThreads(32, 1, 1)]
void someThreads(DispatchNodeInputRecord<R> i, uint t : SV_GroupIndex, [MaxRecords(1)] NodeOutput<R> sink)
{
    GroupNodeOutputRecords<R> r = sink.GetGroupNodeOutputRecords(1);
    if (t == 0) {
        r.Get().x = t;
        r.OutputComplete(); //~ WARN WG0345
    }
}

// That not all groups complete is another.
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(2, 1, 1)] [NumThreads(32, 1, 1)]
void someGroups(DispatchNodeInputRecord<R> i, uint3 g : SV_GroupID, [MaxRecords(1)] NodeOutput<R> sink)
{
    GroupNodeOutputRecords<R> r = sink.GetGroupNodeOutputRecords(1); //~ WARN WG0341
    if (g.x == 0)
        r.OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")]
void sink(ThreadNodeInputRecord<R> i) { }
