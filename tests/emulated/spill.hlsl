// Arrays of outputs with many targets: random ones, all records to one, group allocations. Two arrays of different records
// share a budget. Also tracked records with grids, a single output to one element, arrays of counts.

RWStructuredBuffer<uint> Result : register(u0);

static const uint c_bins = 100;
static const uint c_talls = 5;
static const uint c_ticks = 6;
static const uint c_batch = 50;

struct Entry
{
    uint id;
    uint to;
};

struct Item
{
    uint id;
    uint from;
};

struct [NodeTrackRWInputSharing] Wide
{
    uint2 grid : SV_DispatchGrid;
    uint id;
    uint sum;
};

uint Pick(uint id)
{
    return ((id * 2654435761u) >> 8) % c_bins;
}

// `to` is an element; the number of elements stands for a random one.
[Shader("node")]
[NodeLaunch("thread")]
[NodeIsProgramEntry]
void Classify(
    ThreadNodeInputRecord<Entry> input,
    [MaxRecords(3)] [NodeArraySize(c_bins)] NodeOutputArray<Item> Bin,
    [MaxRecords(2)] [NodeArraySize(c_ticks)] EmptyNodeOutputArray Tick)
{
    uint id = input.Get().id;
    uint to = input.Get().to;
    uint target = to == c_bins ? Pick(id) : to;
    uint count = id % 4;
    ThreadNodeOutputRecords<Item> made = Bin[target].GetThreadNodeOutputRecords(count);
    for (uint i = 0; i < count; i++)
    {
        made.Get(i).id = id + i;
        made.Get(i).from = 1;
    }
    made.OutputComplete();
    Tick[id % c_ticks].ThreadIncrementOutputCount(id % 3);
}

// The threads of a group together fill the records that the whole group allocates.
[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeIsProgramEntry]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(32, 1, 1)]
void Team(
    DispatchNodeInputRecord<Entry> input,
    uint thread : SV_GroupIndex,
    [MaxRecords(c_batch)] [NodeArraySize(c_bins)] NodeOutputArray<Item> Bin,
    [MaxRecordsSharedWith(Bin)] [NodeArraySize(c_talls)] NodeOutputArray<Wide> Tall)
{
    uint id = input.Get().id;
    uint count = 20 + id % 31;
    GroupNodeOutputRecords<Item> items = Bin[id * 37 % c_bins].GetGroupNodeOutputRecords(count);
    for (uint i = thread; i < count; i += 32)
    {
        items.Get(i).id = id * 100 + i;
        items.Get(i).from = 2;
    }
    items.OutputComplete();
    uint rest = c_batch - count;
    GroupNodeOutputRecords<Wide> talls = Tall[id % c_talls].GetGroupNodeOutputRecords(rest);
    for (uint i = thread; i < rest; i += 32)
    {
        talls.Get(i).grid = uint2(i % 5, 1 + i % 3);
        talls.Get(i).id = id + i;
        talls.Get(i).sum = 0;
    }
    talls.OutputComplete();
}

// The last group of a record passes the sum on, to one element of the array.
#define TALL(n) \
    [Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(4, 3, 1)] [NumThreads(2, 1, 1)] \
    [NodeID("Tall", n)] \
    void Tall##n( \
        globallycoherent RWDispatchNodeInputRecord<Wide> input, uint3 at : SV_DispatchThreadID, \
        uint thread : SV_GroupIndex, [MaxRecords(1)] [NodeID("Bin", 3)] NodeOutput<Item> one) \
    { \
        InterlockedAdd(input.Get().sum, input.Get().id + at.x + 10 * at.y); \
        Barrier(NODE_INPUT_MEMORY, DEVICE_SCOPE | GROUP_SYNC); \
        bool last = input.FinishedCrossGroupSharing(); \
        GroupNodeOutputRecords<Item> item = one.GetGroupNodeOutputRecords(last ? 1 : 0); \
        if (last && thread == 0) \
        { \
            item.Get().id = input.Get().sum; \
            item.Get().from = 3; \
        } \
        item.OutputComplete(); \
    }

TALL(0)
TALL(1)
TALL(2)
TALL(3)
TALL(4)

void Take(uint bin, Item item)
{
    InterlockedAdd(Result[3 * bin], 1);
    InterlockedAdd(Result[3 * bin + 1], item.id);
    InterlockedXor(Result[3 * bin + 2], (item.id * 7 + item.from) * (bin + 1));
}

#define BIN(n) \
    [Shader("node")] [NodeLaunch("thread")] [NodeID("Bin", n)] \
    void Bin##n(ThreadNodeInputRecord<Item> input) { Take(n, input.Get()); }

BIN(0) BIN(1) BIN(2) BIN(3) BIN(4) BIN(5) BIN(6) BIN(7) BIN(8) BIN(9)
BIN(10) BIN(11) BIN(12) BIN(13) BIN(14) BIN(15) BIN(16) BIN(17) BIN(18) BIN(19)
BIN(20) BIN(21) BIN(22) BIN(23) BIN(24) BIN(25) BIN(26) BIN(27) BIN(28) BIN(29)
BIN(30) BIN(31) BIN(32) BIN(33) BIN(34) BIN(35) BIN(36) BIN(37) BIN(38) BIN(39)
BIN(40) BIN(41) BIN(42) BIN(43) BIN(44) BIN(45) BIN(46) BIN(47) BIN(48) BIN(49)
BIN(50) BIN(51) BIN(52) BIN(53) BIN(54) BIN(55) BIN(56) BIN(57) BIN(58) BIN(59)
BIN(60) BIN(61) BIN(62) BIN(63) BIN(64) BIN(65) BIN(66) BIN(67) BIN(68) BIN(69)
BIN(70) BIN(71) BIN(72) BIN(73) BIN(74) BIN(75) BIN(76) BIN(77) BIN(78) BIN(79)
BIN(80) BIN(81) BIN(82) BIN(83) BIN(84) BIN(85) BIN(86) BIN(87) BIN(88) BIN(89)
BIN(90) BIN(91) BIN(92) BIN(93) BIN(94) BIN(95) BIN(96) BIN(97) BIN(98) BIN(99)

#define TICK(n) \
    [Shader("node")] [NodeLaunch("coalescing")] [NumThreads(1, 1, 1)] [NodeID("Tick", n)] \
    void Tick##n([MaxRecords(9)] EmptyNodeInput input) { InterlockedAdd(Result[3 * c_bins + n], input.Count()); }

TICK(0) TICK(1) TICK(2) TICK(3) TICK(4) TICK(5)
