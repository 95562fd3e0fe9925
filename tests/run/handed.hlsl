// Inputs and outputs that functions return, give out and assign to variables.

struct Record { uint value; };

RWStructuredBuffer<uint> Out : register(u0);

template<typename T> T Same(T t) { return t; }
template<typename T> void Give(T from, out T to) { to = from; }
template<typename T> T Around(T t)
{
    T other;
    Give(Same(t), other);
    return other;
}

// The second of two, on every path.
NodeOutput<Record> Second(NodeOutput<Record> a, NodeOutput<Record> b, uint x)
{
    if (x == 0)
        return b;
    b = Same(b);
    return b;
}

[Shader("node")]
[NodeLaunch("thread")]
void Main(ThreadNodeInputRecord<Record> input,
          [MaxRecords(2)] NodeOutput<Record> Left, [MaxRecords(1)] NodeOutput<Record> Right,
          [MaxRecords(2)] [NodeArraySize(3)] NodeOutputArray<Record> Many, [MaxRecords(4)] EmptyNodeOutput Ticks)
{
    uint value = Around(input).Get().value;
    NodeOutput<Record> chosen = Second(Left, Right, value);
    ThreadNodeOutputRecords<Record> record = chosen.GetThreadNodeOutputRecords(1);
    record.Get().value = value + 1;
    Same(record).OutputComplete();

    chosen = Left;
    record = Around(chosen).GetThreadNodeOutputRecords(1);
    record.Get().value = value + 2;
    record.OutputComplete();

    record = Around(Around(Many)[value - 5]).GetThreadNodeOutputRecords(1);
    record.Get().value = value + 3;
    record.OutputComplete();

    Around(Ticks).ThreadIncrementOutputCount(3);
}

[Shader("node")] [NodeLaunch("thread")]
void Left(ThreadNodeInputRecord<Record> input) { InterlockedAdd(Out[0], input.Get().value); }

[Shader("node")] [NodeLaunch("thread")]
void Right(ThreadNodeInputRecord<Record> input) { InterlockedAdd(Out[1], input.Get().value); }

[Shader("node")] [NodeLaunch("thread")] [NodeID("Many", 0)]
void Many0(ThreadNodeInputRecord<Record> input) { InterlockedAdd(Out[2], input.Get().value); }

[Shader("node")] [NodeLaunch("thread")] [NodeID("Many", 1)]
void Many1(ThreadNodeInputRecord<Record> input) { InterlockedAdd(Out[3], input.Get().value); }

[Shader("node")] [NodeLaunch("thread")] [NodeID("Many", 2)]
void Many2(ThreadNodeInputRecord<Record> input) { InterlockedAdd(Out[4], input.Get().value); }

[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(1, 1, 1)]
void Ticks([MaxRecords(4)] EmptyNodeInput input) { InterlockedAdd(Out[5], input.Count()); }
