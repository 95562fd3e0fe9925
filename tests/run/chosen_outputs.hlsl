// Functions that return an element of an array of outputs, and variables for one that conditions choose.

struct Record { uint value; };

RWStructuredBuffer<uint> Out : register(u0);

NodeOutput<Record> Pick(NodeOutputArray<Record> all, uint i) { return all[i]; }

NodeOutput<Record> Find(NodeOutputArray<Record> all, uint x)
{
    if (x > 8)
        return all[2];
    NodeOutput<Record> found = all[0];
    for (uint i = 0; i < 3; ++i) {
        if (x == i + 5)
            found = Pick(all, i);
    }
    return found;
}

void Send(NodeOutput<Record> to, uint value)
{
    ThreadNodeOutputRecords<Record> record = to.GetThreadNodeOutputRecords(1);
    record.Get().value = value;
    record.OutputComplete();
}

[Shader("node")]
[NodeLaunch("thread")]
void Main(ThreadNodeInputRecord<Record> input, [MaxRecords(6)] [NodeArraySize(3)] NodeOutputArray<Record> Many,
          [MaxRecords(2)] [NodeArraySize(2)] EmptyNodeOutputArray Ticks)
{
    uint value = input.Get().value;
    Send(Pick(Many, value - 5), 1);
    Send(Find(Many, value), 10);
    Send(Find(Many, value + 1), 100);
    Send(Find(Many, 9), 1000);
    Send(Find(Many, 2), 10000);
    NodeOutput<Record> last;
    if (value > 100)
        last = Many[0];
    else
        last = Many[1];
    Send(last, 5);
    EmptyNodeOutput tick = Ticks[0];
    if (value == 6)
        tick = Ticks[1];
    tick.ThreadIncrementOutputCount(2);
}

[Shader("node")] [NodeLaunch("thread")] [NodeID("Many", 0)]
void Many0(ThreadNodeInputRecord<Record> input) { InterlockedAdd(Out[0], input.Get().value); }

[Shader("node")] [NodeLaunch("thread")] [NodeID("Many", 1)]
void Many1(ThreadNodeInputRecord<Record> input) { InterlockedAdd(Out[1], input.Get().value); }

[Shader("node")] [NodeLaunch("thread")] [NodeID("Many", 2)]
void Many2(ThreadNodeInputRecord<Record> input) { InterlockedAdd(Out[2], input.Get().value); }

[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(1, 1, 1)] [NodeID("Ticks", 0)]
void Ticks0([MaxRecords(4)] EmptyNodeInput input) { InterlockedAdd(Out[3], input.Count()); }

[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(1, 1, 1)] [NodeID("Ticks", 1)]
void Ticks1([MaxRecords(4)] EmptyNodeInput input) { InterlockedAdd(Out[4], input.Count()); }
