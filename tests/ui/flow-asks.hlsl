// Counts that are one of several constants, or bounded by one, alone and in sums; certain and possible mistakes.
struct R { uint x; };
cbuffer Settings { uint Kind; bool A; bool B; };
#define THREAD(NAME) [Shader("node")] [NodeLaunch("thread")] void NAME
void ask(NodeOutput<R> o, uint n) { o.GetThreadNodeOutputRecords(n).OutputComplete(); }
static const uint Counts[3] = { 1, 2, 8 };

THREAD(plusOne)([MaxRecords(4)] [NodeID("sink")] NodeOutput<R> o)
{
    ask(o, 2);
    ask(o, A ? 3 : 1); //~ WARN WG0348
}

// Both numbers are too large: that much is certain.
THREAD(eitherWay)([MaxRecords(4)] [NodeID("sink")] NodeOutput<R> o)
{
    ask(o, 2);
    ask(o, A ? 5 - 1 : 3); //~ WARN WG0348
}

THREAD(nested)([MaxRecords(4)] [NodeID("sink")] NodeOutput<R> o)
{
    uint n = Kind == 0 ? 2 : Kind == 1 ? 3 : 5;
    ask(o, n); //~ WARN WG0348
}

THREAD(table)([MaxRecords(4)] [NodeID("sink")] NodeOutput<R> o)
{
    ask(o, Counts[2]); //~ WARN WG0348
}

THREAD(bounded)([MaxRecords(4)] [NodeID("sink")] NodeOutput<R> o, [MaxRecords(4)] [NodeID("sink")] NodeOutput<R> p)
{
    ask(o, max(Kind, 5)); //~ WARN WG0348
    ask(p, min(Kind, 5)); //~ WARN WG0348
}

// One mistake, reported once: the arms exclude each other, and so do their numbers.
THREAD(arms)([MaxRecords(4)] [NodeID("sink")] NodeOutput<R> o)
{
    ask(o, 2);
    switch (Kind) {
    case 3: ask(o, 3); break; //~ WARN WG0348
    default: ask(o, 1); break;
    }
    if (Kind == 3)
        ask(o, 2);
}

// The condition that chose the number is checked again.
THREAD(together)([MaxRecords(4)] [NodeID("sink")] NodeOutput<R> o)
{
    ask(o, A ? 3 : 1);
    if (A)
        ask(o, 2); //~ WARN WG0348
}

// Some path asks for nothing.
THREAD(guarded)([MaxRecords(4)] [NodeID("sink")] NodeOutput<R> o)
{
    if (Kind == 0)
        return;
    ask(o, 3);
    ask(o, 3); //~ WARN WG0348
}

// In each iteration of a loop that may have none.
THREAD(turn)([MaxRecords(4)] [NodeID("sink")] NodeOutput<R> o)
{
    for (uint k = 0; k < Kind; k++) {
        ask(o, 3);
        ask(o, 3); //~ WARN WG0348
    }
}

// Too many paths to distinguish all of them.
void send(NodeOutput<R> o, uint n) { o.GetGroupNodeOutputRecords(n).OutputComplete(); }

[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(8, 1, 1)]
void manyWays([MaxRecords(100)] [NodeID("sink")] NodeOutput<R> o)
{
    if (Kind & 1) send(o, 1);
    if (Kind & 2) send(o, 2);
    if (Kind & 4) send(o, 4);
    if (Kind & 8) send(o, 8);
    if (Kind & 16) send(o, 16);
    if (Kind & 32) send(o, 32);
    if (A) {
        send(o, 70);
        send(o, 40); //~ WARN WG0348
    }
}

// ---- near misses

THREAD(excluded)([MaxRecords(4)] [NodeID("sink")] NodeOutput<R> o)
{
    ask(o, A ? 3 : 1);
    if (!A)
        ask(o, 3);
}

// It is unknown if the two conditions hold together.
THREAD(independent)([MaxRecords(4)] [NodeID("sink")] NodeOutput<R> o)
{
    if (A) ask(o, 3);
    if (B) ask(o, 3);
    ask(o, A ? 0 : 1);
}

THREAD(fits)([MaxRecords(4)] [NodeID("sink")] NodeOutput<R> o)
{
    ask(o, Counts[1]);
    ask(o, min(Kind, 2));
}

THREAD(known)([MaxRecords(4)] [NodeID("sink")] NodeOutput<R> o)
{
    if (A)
        ask(o, A ? 4 : 5);
}

[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(8, 1, 1)]
void threads(uint t : SV_GroupIndex, [MaxRecords(8)] [NodeID("sink")] NodeOutput<R> o)
{
    // One thread alone asks for more.
    o.GetThreadNodeOutputRecords(t == 0 ? 4 : 0).OutputComplete();
}

THREAD(sink)(ThreadNodeInputRecord<R> i) { }
