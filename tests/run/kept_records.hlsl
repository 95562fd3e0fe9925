// Handles to records in structures and arrays.

struct Record { uint value; };
typedef ThreadNodeOutputRecords<Record> Records;

RWStructuredBuffer<uint> Out : register(u0);

struct Pair
{
    Records first, second;
    uint sum;

    void Write(uint a, uint b)
    {
        first.Get().value = a;
        second.Get().value = b;
        sum = a + b;
    }

    void Done()
    {
        first.OutputComplete();
        second.OutputComplete();
    }
};

struct Nest { Pair pair; Records more[3]; };

Pair Ask(NodeOutput<Record> left, NodeOutput<Record> right)
{
    Pair pair;
    pair.first = left.GetThreadNodeOutputRecords(1);
    pair.second = right.GetThreadNodeOutputRecords(1);
    pair.sum = 0;
    return pair;
}

void Fill(inout Nest nest, NodeOutput<Record> many)
{
    for (uint i = 0; i < 3; ++i) {
        nest.more[i] = many.GetThreadNodeOutputRecords(1);
        nest.more[i].Get().value = 10 * (i + 1);
    }
}

[Shader("node")]
[NodeLaunch("thread")]
void Main(ThreadNodeInputRecord<Record> input, [MaxRecords(1)] NodeOutput<Record> Left,
          [MaxRecords(1)] NodeOutput<Record> Right, [MaxRecords(5)] NodeOutput<Record> Many)
{
    uint value = input.Get().value;
    Nest nest;
    nest.pair = Ask(Left, Right);
    nest.pair.Write(value, value * 2);
    Fill(nest, Many);
    Nest copy = nest;
    Records listed[2] = { Many.GetThreadNodeOutputRecords(1), Many.GetThreadNodeOutputRecords(1) };
    listed[0].Get().value = copy.pair.sum;
    listed[1].Get().value = 100;
    for (uint i = 0; i < 3; ++i)
        copy.more[i].Get().value += i;
    for (uint j = 0; j < 3; ++j)
        copy.more[j].OutputComplete();
    for (uint k = 0; k < 2; ++k)
        listed[k].OutputComplete();
    copy.pair.Done();
}

[Shader("node")] [NodeLaunch("thread")]
void Left(ThreadNodeInputRecord<Record> input) { InterlockedAdd(Out[0], input.Get().value); }

[Shader("node")] [NodeLaunch("thread")]
void Right(ThreadNodeInputRecord<Record> input) { InterlockedAdd(Out[1], input.Get().value); }

[Shader("node")] [NodeLaunch("thread")]
void Many(ThreadNodeInputRecord<Record> input)
{
    InterlockedAdd(Out[2], input.Get().value);
    InterlockedAdd(Out[3], 1);
}
