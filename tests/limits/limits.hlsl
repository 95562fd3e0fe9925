// For each form of requesting too much: a node that does it (`Bad..`), one that sends to the same nodes within its limit
// (`Good..`), and their targets. Records of the host give the requested number, so no compiler sees it.

RWStructuredBuffer<uint> Out : register(u0);

struct Ask { uint key; };
// The sender: 0 the bad node, 1 the good one. `check` is its complement. Anything else is another record.
struct Sent { uint who; uint pad[2]; uint check; };

#define FORM(n) (2 * n)
#define GARBAGE 63

void Arrive(uint form, Sent sent)
{
    InterlockedAdd(Out[sent.check == ~sent.who && sent.who < 2 ? FORM(form) + sent.who : GARBAGE], 1);
}

void Fill(inout Sent sent, uint who)
{
    sent.who = who;
    sent.pad[0] = sent.pad[1] = 0;
    sent.check = ~who;
}

#define THREAD [Shader("node")] [NodeLaunch("thread")]
#define ENTRY [NodeIsProgramEntry]
#define GROUP(n) [Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(n, 1, 1)]
#define SINK(form) THREAD void Sink##form(ThreadNodeInputRecord<Sent> input) { Arrive(form, input.Get()); }

#define FILL(made, count, who)                                                                                       \
    for (uint at##made = 0; at##made < (count); at##made++)                                                          \
        Fill(made.Get(at##made), who);                                                                               \
    made.OutputComplete();

// ONLY: the one form to compile.

// ---- 0: calls in a loop, thread launch. Two nodes of an array with the same code: they may have one dispatch.

#if !defined(ONLY) || ONLY == 0
#define CALLS_IN_A_LOOP(name, n)                                                                                     \
    THREAD ENTRY [NodeID(name, n)]                                                                                   \
    void Bad0_##n(ThreadNodeInputRecord<Ask> input, [MaxRecords(2)] NodeOutput<Sent> Sink0)                          \
    {                                                                                                                \
        for (uint call = 0; call < input.Get().key; call++)                                                          \
        {                                                                                                            \
            ThreadNodeOutputRecords<Sent> made = Sink0.GetThreadNodeOutputRecords(1);                                \
            FILL(made, 1, 0)                                                                                         \
        }                                                                                                            \
    }
CALLS_IN_A_LOOP("Bad0", 0)
CALLS_IN_A_LOOP("Bad0", 1)

THREAD ENTRY
void Good0(ThreadNodeInputRecord<Ask> input, [MaxRecords(2)] NodeOutput<Sent> Sink0)
{
    ThreadNodeOutputRecords<Sent> made = Sink0.GetThreadNodeOutputRecords(input.Get().key);
    FILL(made, input.Get().key, 1)
}
SINK(0)
#endif

// ---- 1: two calls, of which the second is cut.

#if !defined(ONLY) || ONLY == 1
THREAD ENTRY
void Bad1(ThreadNodeInputRecord<Ask> input, [MaxRecords(4)] NodeOutput<Sent> Sink1)
{
    uint key = input.Get().key;
    ThreadNodeOutputRecords<Sent> some = Sink1.GetThreadNodeOutputRecords(key);
    FILL(some, key, 0)
    ThreadNodeOutputRecords<Sent> more = Sink1.GetThreadNodeOutputRecords(key);
    FILL(more, key, 0)
}

THREAD ENTRY
void Good1(ThreadNodeInputRecord<Ask> input, [MaxRecords(4)] NodeOutput<Sent> Sink1)
{
    ThreadNodeOutputRecords<Sent> made = Sink1.GetThreadNodeOutputRecords(input.Get().key);
    FILL(made, input.Get().key, 1)
}
SINK(1)
#endif

// ---- 2 and 3: two outputs share a limit.

#if !defined(ONLY) || ONLY == 2
THREAD ENTRY
void Bad2(ThreadNodeInputRecord<Ask> input,
          [MaxRecords(4)] NodeOutput<Sent> Sink2, [MaxRecordsSharedWith(Sink2)] NodeOutput<Sent> Sink3)
{
    uint key = input.Get().key;
    ThreadNodeOutputRecords<Sent> some = Sink2.GetThreadNodeOutputRecords(key);
    FILL(some, key, 0)
    ThreadNodeOutputRecords<Sent> more = Sink3.GetThreadNodeOutputRecords(key);
    FILL(more, key, 0)
}

THREAD ENTRY
void Good2(ThreadNodeInputRecord<Ask> input, [MaxRecords(4)] NodeOutput<Sent> Sink2, [MaxRecords(4)] NodeOutput<Sent> Sink3)
{
    uint key = input.Get().key;
    ThreadNodeOutputRecords<Sent> some = Sink2.GetThreadNodeOutputRecords(key);
    FILL(some, key, 1)
    ThreadNodeOutputRecords<Sent> more = Sink3.GetThreadNodeOutputRecords(key);
    FILL(more, key, 1)
}
SINK(2)
SINK(3)
#endif

// ---- 4: threads of a group ask in a loop, each for itself.

#if !defined(ONLY) || ONLY == 4
GROUP(32) ENTRY
void Bad4(DispatchNodeInputRecord<Ask> input, [MaxRecords(32)] NodeOutput<Sent> Sink4)
{
    for (uint call = 0; call < input.Get().key; call++)
    {
        ThreadNodeOutputRecords<Sent> made = Sink4.GetThreadNodeOutputRecords(1);
        FILL(made, 1, 0)
    }
}

GROUP(32) ENTRY
void Good4(DispatchNodeInputRecord<Ask> input, [MaxRecords(32)] NodeOutput<Sent> Sink4)
{
    for (uint call = 0; call < input.Get().key; call++)
    {
        ThreadNodeOutputRecords<Sent> made = Sink4.GetThreadNodeOutputRecords(1);
        FILL(made, 1, 1)
    }
}
SINK(4)
#endif

// ---- 5: a group asks as one, in a loop. The last call is cut to one record.

#if !defined(ONLY) || ONLY == 5
GROUP(8) ENTRY
void Bad5(DispatchNodeInputRecord<Ask> input, uint thread : SV_GroupIndex, [MaxRecords(3)] NodeOutput<Sent> Sink5)
{
    for (uint call = 0; call < input.Get().key; call++)
    {
        GroupNodeOutputRecords<Sent> made = Sink5.GetGroupNodeOutputRecords(2);
        if (thread < 2)
            Fill(made.Get(thread), 0);
        made.OutputComplete();
    }
}

GROUP(8) ENTRY
void Good5(DispatchNodeInputRecord<Ask> input, uint thread : SV_GroupIndex, [MaxRecords(3)] NodeOutput<Sent> Sink5)
{
    uint key = input.Get().key;
    GroupNodeOutputRecords<Sent> made = Sink5.GetGroupNodeOutputRecords(key);
    if (thread < key)
        Fill(made.Get(thread), 1);
    made.OutputComplete();
}
SINK(5)
#endif

// ---- 6: a group asks as one, then its threads for themselves, then it once more.

#if !defined(ONLY) || ONLY == 6
GROUP(8) ENTRY
void Bad6(DispatchNodeInputRecord<Ask> input, uint thread : SV_GroupIndex, [MaxRecords(12)] NodeOutput<Sent> Sink6)
{
    uint key = input.Get().key;
    for (uint call = 0; call < 2; call++)
    {
        GroupNodeOutputRecords<Sent> together = Sink6.GetGroupNodeOutputRecords(key);
        if (thread < key)
            Fill(together.Get(thread), 0);
        together.OutputComplete();
        ThreadNodeOutputRecords<Sent> own = Sink6.GetThreadNodeOutputRecords(1);
        FILL(own, 1, 0)
    }
}

GROUP(8) ENTRY
void Good6(DispatchNodeInputRecord<Ask> input, uint thread : SV_GroupIndex, [MaxRecords(12)] NodeOutput<Sent> Sink6)
{
    uint key = input.Get().key;
    GroupNodeOutputRecords<Sent> together = Sink6.GetGroupNodeOutputRecords(key);
    if (thread < key)
        Fill(together.Get(thread), 1);
    together.OutputComplete();
    ThreadNodeOutputRecords<Sent> own = Sink6.GetThreadNodeOutputRecords(thread < key ? 1 : 0);
    FILL(own, thread < key ? 1 : 0, 1)
}
SINK(6)
#endif

// ---- 7: coalescing launch. Each thread sends as many records as its record requests.

#if !defined(ONLY) || ONLY == 7
[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(4, 1, 1)] ENTRY
void Bad7([MaxRecords(4)] GroupNodeInputRecords<Ask> input, uint thread : SV_GroupIndex, [MaxRecords(5)] NodeOutput<Sent> Sink7)
{
    uint key = thread < input.Count() ? input.Get(thread).key : 0;
    ThreadNodeOutputRecords<Sent> made = Sink7.GetThreadNodeOutputRecords(key);
    FILL(made, key, 0)
}

[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(4, 1, 1)] ENTRY
void Good7([MaxRecords(4)] GroupNodeInputRecords<Ask> input, uint thread : SV_GroupIndex, [MaxRecords(5)] NodeOutput<Sent> Sink7)
{
    uint key = thread < input.Count() ? input.Get(thread).key : 0;
    ThreadNodeOutputRecords<Sent> made = Sink7.GetThreadNodeOutputRecords(key);
    FILL(made, key, 1)
}
SINK(7)
#endif

// ---- 8: an array without element 1. It has too many nodes for separate worst-case capacities, so they share a spill.

#if !defined(ONLY) || ONLY == 8
THREAD ENTRY
void Bad8(ThreadNodeInputRecord<Ask> input,
          [MaxRecords(3)] [NodeArraySize(8)] [AllowSparseNodes] [NodeID("Sink8")] NodeOutputArray<Sent> Array)
{
    for (uint call = 0; call < input.Get().key; call++)
    {
        bool is_there = Array[call].IsValid();
        ThreadNodeOutputRecords<Sent> made = Array[call].GetThreadNodeOutputRecords(is_there ? 1 : 0);
        FILL(made, is_there ? 1 : 0, 0)
    }
}

GROUP(4) ENTRY
void Good8(DispatchNodeInputRecord<Ask> input,
           [MaxRecords(4)] [NodeArraySize(8)] [AllowSparseNodes] [NodeID("Sink8")] NodeOutputArray<Sent> Array)
{
    ThreadNodeOutputRecords<Sent> made = Array[input.Get().key].GetThreadNodeOutputRecords(1);
    FILL(made, 1, 1)
}

#define ELEMENT(n) THREAD [NodeID("Sink8", n)] void Sink8_##n(ThreadNodeInputRecord<Sent> input) { Arrive(8 + n, input.Get()); }
ELEMENT(0)
ELEMENT(2)
ELEMENT(3)
ELEMENT(4)
ELEMENT(5)
ELEMENT(6)
ELEMENT(7)
#endif

// ---- 16: empty records of a thread, by two calls.

#if !defined(ONLY) || ONLY == 16
THREAD ENTRY
void Bad16(ThreadNodeInputRecord<Ask> input, [MaxRecords(5)] [NodeID("Sink16")] EmptyNodeOutput Empty)
{
    Empty.ThreadIncrementOutputCount(input.Get().key);
    Empty.ThreadIncrementOutputCount(input.Get().key);
}

THREAD ENTRY
void Good16(ThreadNodeInputRecord<Ask> input, [MaxRecords(5)] [NodeID("Sink16")] EmptyNodeOutput Empty)
{
    Empty.ThreadIncrementOutputCount(input.Get().key);
}

// For a group: as one, and by its threads.

GROUP(8) ENTRY
void Bad17(DispatchNodeInputRecord<Ask> input, [MaxRecords(10)] [NodeID("Sink16")] EmptyNodeOutput Empty)
{
    Empty.GroupIncrementOutputCount(input.Get().key);
    Empty.ThreadIncrementOutputCount(1);
}

GROUP(8) ENTRY
void Bad18(DispatchNodeInputRecord<Ask> input, [MaxRecords(7)] [NodeID("Sink16")] EmptyNodeOutput Empty)
{
    for (uint call = 0; call < input.Get().key; call++)
        Empty.GroupIncrementOutputCount(3);
}

[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(1, 1, 1)]
void Sink16([MaxRecords(4)] EmptyNodeInput input)
{
    InterlockedAdd(Out[FORM(16)], input.Count());
}
#endif

// ---- 19: a limit so large that its threads could count past 2^32 together.

#if !defined(ONLY) || ONLY == 19
GROUP(1024) ENTRY
void Bad19(DispatchNodeInputRecord<Ask> input, [MaxRecords(0x400000)] [NodeID("Sink19")] EmptyNodeOutput Empty)
{
    Empty.ThreadIncrementOutputCount(input.Get().key);
}

[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(1, 1, 1)]
void Sink19([MaxRecords(0x10000)] EmptyNodeInput input)
{
    InterlockedAdd(Out[FORM(19)], input.Count());
}
#endif

// ---- 20: recursion. Each level sends itself one record, and asks for `key`.

#if !defined(ONLY) || ONLY == 20
THREAD ENTRY [NodeMaxRecursionDepth(3)]
void Bad20(ThreadNodeInputRecord<Ask> input,
           [MaxRecords(1)] [NodeID("Bad20")] NodeOutput<Ask> Again, [MaxRecords(2)] [NodeID("Sink20")] NodeOutput<Sent> Down)
{
    uint key = input.Get().key;
    for (uint call = 0; call < key; call++)
    {
        bool more = Again.IsValid();
        ThreadNodeOutputRecords<Ask> again = Again.GetThreadNodeOutputRecords(more ? 1 : 0);
        if (more)
            again.Get().key = key;
        again.OutputComplete();
        ThreadNodeOutputRecords<Sent> down = Down.GetThreadNodeOutputRecords(1);
        FILL(down, 1, 0)
    }
}

THREAD ENTRY
void Good20(ThreadNodeInputRecord<Ask> input, [MaxRecords(2)] [NodeID("Sink20")] NodeOutput<Sent> Down)
{
    ThreadNodeOutputRecords<Sent> down = Down.GetThreadNodeOutputRecords(input.Get().key);
    FILL(down, input.Get().key, 1)
}
SINK(20)
#endif

// ---- 21: records with a grid, which are launched when they are complete.

#if !defined(ONLY) || ONLY == 21
struct Grid { uint groups : SV_DispatchGrid; uint who; };

GROUP(4) ENTRY
void Bad21(DispatchNodeInputRecord<Ask> input, [MaxRecords(4)] [NodeID("Sink21")] NodeOutput<Grid> Wide)
{
    uint key = input.Get().key;
    ThreadNodeOutputRecords<Grid> made = Wide.GetThreadNodeOutputRecords(key);
    for (uint at = 0; at < key; at++)
    {
        made.Get(at).groups = 3;
        made.Get(at).who = 0;
    }
    made.OutputComplete();
}

GROUP(4) ENTRY
void Good21(DispatchNodeInputRecord<Ask> input, uint thread : SV_GroupIndex,
            [MaxRecords(4)] [NodeID("Sink21")] NodeOutput<Grid> Wide)
{
    uint key = input.Get().key;
    GroupNodeOutputRecords<Grid> made = Wide.GetGroupNodeOutputRecords(key);
    if (thread < key)
    {
        made.Get(thread).groups = 5;
        made.Get(thread).who = 1;
    }
    made.OutputComplete();
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(5, 1, 1)] [NumThreads(1, 1, 1)]
void Sink21(DispatchNodeInputRecord<Grid> input)
{
    uint who = input.Get().who;
    InterlockedAdd(Out[who < 2 ? FORM(21) + who : GARBAGE], 1);
}
#endif
