// Arithmetic on specialisation constants in the numbers of the graph, nodes that move in their arrays, and an input that
// is shared with another node by them. The run file sets all of them.

[[vk::constant_id(0)]] const uint X = 2;
[[vk::constant_id(1)]] const int Below = -3;
[[vk::constant_id(2)]] const bool Deep = false;
[[vk::constant_id(3)]] const uint At = 1;
[[vk::constant_id(4)]] const uint Other = 0;

static const uint Half = X / 2;
static const uint Lanes = (X + 3) & ~3;

struct Item { uint value; };

RWStructuredBuffer<uint> Out : register(u0);

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(X * 2 - 1, Half, Deep ? 3 : 1)]
[NumThreads(Lanes, 1 << Half, 1)]
void Start([MaxRecords(X + 1)] [NodeID("leaf", At + 1)] NodeOutput<Item> items,
           [MaxRecords(1)] [NodeID("many", Half)] [NodeArraySize(X - 1)] [AllowSparseNodes]
           NodeOutputArray<Item> many)
{
    InterlockedAdd(Out[0], 1);
    GroupNodeOutputRecords<Item> records = items.GetGroupNodeOutputRecords(X + 1);
    for (uint i = 0; i < X + 1; i++)
        records[i].value = i;
    records.OutputComplete();
    GroupNodeOutputRecords<Item> one = many[At - Half].GetGroupNodeOutputRecords(1);
    one.Get().value = 1;
    one.OutputComplete();
}

[Shader("node")]
[NodeID("leaf", At + 1)]
[NodeLaunch("coalescing")]
[NumThreads(1, 1, 1)]
void Leaf([MaxRecords(uint(-Below) >> 1)] GroupNodeInputRecords<Item> items)
{
    InterlockedMax(Out[1], items.Count());
    for (uint i = 0; i < items.Count(); i++)
        InterlockedAdd(Out[2], items[i].value);
}

// The target of an array that moves and grows.
[Shader("node")]
[NodeID("many", At)]
[NodeLaunch("thread")]
[NodeIsProgramEntry]
void Many(ThreadNodeInputRecord<Item> item)
{
    InterlockedAdd(Out[3], item.Get().value);
}

[Shader("node")]
[NodeLaunch("thread")]
[NodeMaxRecursionDepth(X - 1)]
void Again(ThreadNodeInputRecord<Item> item, [MaxRecords(1)] [NodeID("Again")] NodeOutput<Item> more)
{
    InterlockedAdd(Out[4], 1);
    uint levels = GetRemainingRecursionLevels();
    ThreadNodeOutputRecords<Item> next = more.GetThreadNodeOutputRecords(levels != 0 ? 1 : 0);
    if (levels != 0)
        next.Get().value = 0;
    next.OutputComplete();
}

[Shader("node")]
[NodeID("own", 0)]
[NodeLaunch("thread")]
[NodeIsProgramEntry]
void First(ThreadNodeInputRecord<Item> item) { InterlockedAdd(Out[5], item.Get().value); }

[Shader("node")]
[NodeID("own", 1)]
[NodeLaunch("thread")]
[NodeIsProgramEntry]
void Second(ThreadNodeInputRecord<Item> item) { InterlockedAdd(Out[5], item.Get().value); }

[Shader("node")]
[NodeShareInputOf("own", 1 - Other)]
[NodeLaunch("thread")]
void Sharer(ThreadNodeInputRecord<Item> item) { InterlockedAdd(Out[6], item.Get().value); }
