// Sums of the requests of several calls.
struct R { uint x; };
cbuffer Settings { uint Count; uint Kind; bool A; bool B; };
#define THREAD(NAME) [Shader("node")] [NodeLaunch("thread")] void NAME
void ask(NodeOutput<R> o, uint n) { o.GetThreadNodeOutputRecords(n).OutputComplete(); }

THREAD(first)([MaxRecords(1)] [NodeID("sink")] NodeOutput<R> one)
{
    if (A)
        one.GetThreadNodeOutputRecords(1).OutputComplete();
    one.GetThreadNodeOutputRecords(1).OutputComplete(); //~ WARN WG0348
}

// The order of the two does not matter.
THREAD(last)([MaxRecords(1)] [NodeID("sink")] NodeOutput<R> one)
{
    one.GetThreadNodeOutputRecords(1).OutputComplete();
    if (A)
        one.GetThreadNodeOutputRecords(1).OutputComplete(); //~ WARN WG0348
}

THREAD(between)([MaxRecords(1)] [NodeID("sink")] NodeOutput<R> one)
{
    if (A)
        one.GetThreadNodeOutputRecords(1).OutputComplete();
    uint x = 0;
    if (B)
        x = 1;
    for (uint n = 0; n < Count; n++) { if (n == 4) break; }
    one.GetThreadNodeOutputRecords(1).OutputComplete(); //~ WARN WG0348
}

THREAD(same)([MaxRecords(1)] [NodeID("sink")] NodeOutput<R> one)
{
    uint x = 0;
    if (A)
        one.GetThreadNodeOutputRecords(1).OutputComplete();
    if (B) x = 3;
    if (A)
        one.GetThreadNodeOutputRecords(1).OutputComplete(); //~ WARN WG0348
}

THREAD(loop)([MaxRecords(5)] [NodeID("sink")] NodeOutput<R> one, [MaxRecordsSharedWith(one)] [NodeID("sink")] NodeOutput<R> two)
{
    for (uint k = 0; k < 3; k++)
        one.GetThreadNodeOutputRecords(4).OutputComplete(); //~ WARN WG0348
    two.GetThreadNodeOutputRecords(2).OutputComplete();
}

THREAD(uneven)([MaxRecords(5)] [NodeID("sink")] NodeOutput<R> one)
{
    for (uint k = 0; k < 4; k++)
        one.GetThreadNodeOutputRecords(k).OutputComplete(); //~ WARN WG0348
}

THREAD(many)([MaxRecords(5)] [NodeID("sink")] NodeOutput<R> one)
{
    for (uint k = 0; k < 100; k++)
        one.GetThreadNodeOutputRecords(1).OutputComplete(); //~ WARN WG0348
}

THREAD(helper)([MaxRecords(5)] [NodeID("sink")] NodeOutput<R> one)
{
    ask(one, 3);
    ask(one, 3); //~ WARN WG0348
    ask(one, 6);
}

THREAD(invariant)([MaxRecords(2)] [NodeID("sink")] NodeOutput<R> one)
{
    for (uint k = 0; k < 3; k++)
        if (A)
            ask(one, 1); //~ WARN WG0348
}
[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(8, 1, 1)]
void group([MaxRecords(16)] [NodeID("sink")] NodeOutput<R> one)
{
    switch (Kind) {
    case 0:
        one.GetGroupNodeOutputRecords(4).OutputComplete();
        break;
    case 1:
        one.GetGroupNodeOutputRecords(9).OutputComplete();
        break;
    default:
        break;
    }
    one.GetThreadNodeOutputRecords(1).OutputComplete(); //~ WARN WG0348
}

// ---- near misses

THREAD(excl)([MaxRecords(1)] [NodeID("sink")] NodeOutput<R> one)
{
    if (A) ask(one, 1);
    if (!A) ask(one, 1);
}
// It is unknown if the two conditions hold together.
THREAD(two)([MaxRecords(1)] [NodeID("sink")] NodeOutput<R> one)
{
    if (A) ask(one, 1);
    if (B) ask(one, 1);
}

THREAD(done)([MaxRecords(1)] [NodeID("sink")] NodeOutput<R> one)
{
    bool done = false;
    if (A) { ask(one, 1); done = true; }
    if (!done) ask(one, 1);
}

THREAD(kinds)([MaxRecords(2)] [NodeID("sink")] NodeOutput<R> one)
{
    switch (Kind) {
    case 0: ask(one, 1); break;
    case 1: ask(one, 2); break;
    default: break;
    }
    if (Kind == 0) ask(one, 1);
    if (Kind > 4) ask(one, 2);
}

THREAD(ret)([MaxRecords(1)] [NodeID("sink")] NodeOutput<R> one)
{
    if (A) { ask(one, 1); return; }
    ask(one, 1);
}

THREAD(maybeReturns)([MaxRecords(1)] [NodeID("sink")] NodeOutput<R> one)
{
    if (A) { ask(one, 1); }
    if (B) return;
    ask(one, 1);
}

[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(8, 1, 1)]
void groupThatFits([MaxRecords(16)] [NodeID("sink")] NodeOutput<R> one)
{
    if (A)
        one.GetGroupNodeOutputRecords(8).OutputComplete();
    else if (B)
        one.GetGroupNodeOutputRecords(7).OutputComplete();
    one.GetThreadNodeOutputRecords(1).OutputComplete();
}

// Knowledge about one budget says nothing about another.
THREAD(budgets)([MaxRecords(1)] [NodeID("sink")] NodeOutput<R> one, [MaxRecords(1)] [NodeID("sink")] NodeOutput<R> two)
{
    if (A) ask(one, 1);
    if (B) ask(two, 1);
    if (!B) ask(one, 1);
}

THREAD(nothing)([MaxRecords(1)] [NodeID("sink")] NodeOutput<R> one)
{
    if (A) ask(one, 1);
    ask(one, 0);
    ask(one, A ? 0 : 1);
}

THREAD(sink)(ThreadNodeInputRecord<R> i) { }
