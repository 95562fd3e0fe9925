// Sorts work by kind: a node array, indexed at run time, with a node for each kind of item.
//
//   wgc run --inputs classify.run.json

StructuredBuffer<uint> Items : register(t0);         // kind in the low two bits, value above
RWStructuredBuffer<uint> Results : register(u1);     // one per item
RWStructuredBuffer<uint> CountOfKind : register(u2); // one per kind

struct Batch
{
    uint first;
    uint count;
};

struct Work
{
    uint item;
    uint value;
};

static const uint c_batch = 64;

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(c_batch, 1, 1)]
[NodeIsProgramEntry]
void Classify(
    DispatchNodeInputRecord<Batch> input,
    uint thread : SV_GroupIndex,
    [MaxRecords(c_batch)] [NodeID("Process")] [NodeArraySize(4)] NodeOutputArray<Work> Process)
{
    bool active = thread < input.Get().count;
    uint item = input.Get().first + thread;
    uint word = active ? Items[item] : 0;
    uint kind = word & 3;

    ThreadNodeOutputRecords<Work> work = Process[kind].GetThreadNodeOutputRecords(active ? 1 : 0);
    if (active)
    {
        work.Get().item = item;
        work.Get().value = word >> 2;
    }
    work.OutputComplete();
}

void Finish(uint kind, uint item, uint result)
{
    Results[item] = result;
    InterlockedAdd(CountOfKind[kind], 1);
}

[Shader("node")]
[NodeLaunch("thread")]
[NodeID("Process", 0)]
void Double(ThreadNodeInputRecord<Work> input)
{
    Finish(0, input.Get().item, input.Get().value * 2);
}

[Shader("node")]
[NodeLaunch("thread")]
[NodeID("Process", 1)]
void Power(ThreadNodeInputRecord<Work> input)
{
    uint v = input.Get().value;
    Finish(1, input.Get().item, v * v);
}

[Shader("node")]
[NodeLaunch("thread")]
[NodeID("Process", 2)]
void Reverse(ThreadNodeInputRecord<Work> input)
{
    Finish(2, input.Get().item, reversebits(input.Get().value));
}

// Steps of the Collatz sequence: threads of one workgroup loop for different times.
[Shader("node")]
[NodeLaunch("thread")]
[NodeID("Process", 3)]
void Collatz(ThreadNodeInputRecord<Work> input)
{
    uint v = input.Get().value;
    uint steps = 0;
    while (v > 1)
    {
        v = (v & 1) == 0 ? v / 2 : 3 * v + 1;
        ++steps;
    }
    Finish(3, input.Get().item, steps);
}
