// Records of another structure than the consumer's: the bytes that are sent are the bytes that are read (WG0404).

struct Pair
{
    uint low;
    uint high;
};

struct Vector
{
    int2 both;
};

struct Table
{
    float values[2];
};

RWStructuredBuffer<uint> Out;

[Shader("node")]
[NodeLaunch("thread")]
void Take(ThreadNodeInputRecord<Pair> input)
{
    uint slot = input.Get().low & 7;
    Out[slot] = input.Get().high;
}

[Shader("node")]
[NodeLaunch("thread")]
void Send(
    [MaxRecords(1)] [NodeID("Take")] NodeOutput<Pair> same,
    [MaxRecords(1)] [NodeID("Take")] NodeOutput<Vector> vectors,
    [MaxRecords(1)] [NodeID("Take")] NodeOutput<Table> tables)
{
    ThreadNodeOutputRecords<Pair> pair = same.GetThreadNodeOutputRecords(1);
    pair.Get().low = 1;
    pair.Get().high = 11;
    pair.OutputComplete();

    ThreadNodeOutputRecords<Vector> vector_ = vectors.GetThreadNodeOutputRecords(1);
    vector_.Get().both = int2(2, -2);
    vector_.OutputComplete();

    ThreadNodeOutputRecords<Table> table = tables.GetThreadNodeOutputRecords(1);
    table.Get().values[0] = asfloat(3u);
    table.Get().values[1] = 1.5;
    table.OutputComplete();
}
