// Cases that leave records open, cases that leave out nothing, and unreachable code.
struct R { uint x; };
cbuffer Settings { uint Kind; int Sign; bool A; };
#define THREAD(NAME) [Shader("node")] [NodeLaunch("thread")] void NAME

THREAD(oneCase)([MaxRecords(1)] NodeOutput<R> sink)
{
    ThreadNodeOutputRecords<R> r = sink.GetThreadNodeOutputRecords(1); //~ WARN WG0341
    switch (Sign) {
    case 0: r.OutputComplete(); break;
    case -2: r.Get().x = 3; break;
    default: r.OutputComplete(); break;
    }
}

THREAD(noCase)([MaxRecords(1)] NodeOutput<R> sink)
{
    ThreadNodeOutputRecords<R> r = sink.GetThreadNodeOutputRecords(1); //~ WARN WG0341
    switch (Kind & 3) {
    case 0: r.OutputComplete(); break;
    case 1: case 3: r.OutputComplete(); break;
    }
}

// ---- near misses

THREAD(allCases)([MaxRecords(1)] NodeOutput<R> sink)
{
    ThreadNodeOutputRecords<R> r = sink.GetThreadNodeOutputRecords(1);
    switch (Kind & 3) {
    case 2: case 0: r.OutputComplete(); break;
    case 1: case 3: r.Get().x = 1; r.OutputComplete(); break;
    }
}

THREAD(allRemainders)([MaxRecords(1)] NodeOutput<R> sink)
{
    ThreadNodeOutputRecords<R> r = sink.GetThreadNodeOutputRecords(1);
    switch (Kind % 2) {
    case 0: r.OutputComplete(); break;
    case 1: r.OutputComplete(); break;
    }
}

THREAD(never)([MaxRecords(1)] NodeOutput<R> sink)
{
    ThreadNodeOutputRecords<R> r = sink.GetThreadNodeOutputRecords(1);
    r.OutputComplete();
    if (A)
        if (!A)
            r.Get().x = 1;
    if (Kind > 3 && Kind < 2)
        r.Get().x = 2;
}

THREAD(sink)(ThreadNodeInputRecord<R> i) { }
