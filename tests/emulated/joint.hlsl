// Arrays whose elements share their code, of each launch mode. With `--joint-dispatch 2` each has one dispatch in a stage.
// Elements differ in the targets of their outputs and in the number of remaining levels.

RWStructuredBuffer<uint> Result : register(u0);

static const uint c_tiles = 40;
static const uint c_levels = 4;
static const uint c_parts = 4;
static const uint c_areas = 12;
static const uint c_packs = 10;
static const uint c_fields = 8;
static const uint c_ticks = 6;

static const uint c_left = c_tiles;
static const uint c_part = c_left + c_levels;
static const uint c_area = c_part + c_parts;
static const uint c_pack = c_area + c_areas;
static const uint c_field = c_pack + c_packs;
static const uint c_tick = c_field + c_fields;

struct Item
{
    uint tile;
    uint depth;
    uint value;
};

struct Grid
{
    uint2 grid : SV_DispatchGrid;
    uint number;
    uint value;
};

struct Value
{
    uint number;
    uint value;
};

[Shader("node")]
[NodeLaunch("thread")]
[NodeIsProgramEntry]
void Start(ThreadNodeInputRecord<Item> input, [MaxRecords(1)] [NodeArraySize(c_tiles)] NodeOutputArray<Item> Tile)
{
    ThreadNodeOutputRecords<Item> item = Tile[input.Get().tile].GetThreadNodeOutputRecords(1);
    item.Get() = input.Get();
    item.OutputComplete();
}

// Sends to itself while it may, then its result to all others.
#define TILE(n, part) \
    [Shader("node")] [NodeLaunch("thread")] [NodeID("Tile", n)] [NodeMaxRecursionDepth(3)] \
    void Tile##n( \
        ThreadNodeInputRecord<Item> input, \
        [MaxRecords(2)] [NodeID("Tile", n)] NodeOutput<Item> again, \
        [MaxRecords(1)] [NodeID("Part", part)] NodeOutput<Value> whole, \
        [MaxRecords(1)] [NodeArraySize(c_areas)] NodeOutputArray<Grid> Area, \
        [MaxRecords(1)] [NodeArraySize(c_packs)] NodeOutputArray<Value> Pack, \
        [MaxRecords(1)] [NodeArraySize(c_fields)] NodeOutputArray<Value> Field, \
        [MaxRecords(2)] [NodeArraySize(c_ticks)] EmptyNodeOutputArray Tick) \
    { \
        Item item = input.Get(); \
        uint left = GetRemainingRecursionLevels(); \
        InterlockedAdd(Result[item.tile], item.value * (left + 1)); \
        InterlockedAdd(Result[c_left + left], 1); \
        bool more = item.depth != 0 && again.IsValid(); \
        uint count = more ? 1 + (item.value & 1) : 0; \
        ThreadNodeOutputRecords<Item> next = again.GetThreadNodeOutputRecords(count); \
        for (uint i = 0; i < count; i++) \
        { \
            next.Get(i).tile = item.tile; \
            next.Get(i).depth = item.depth - 1; \
            next.Get(i).value = item.value * 5 + 1 + i; \
        } \
        next.OutputComplete(); \
        uint ends = more ? 0 : 1; \
        ThreadNodeOutputRecords<Value> made = whole.GetThreadNodeOutputRecords(ends); \
        ThreadNodeOutputRecords<Grid> grid = Area[item.value % c_areas].GetThreadNodeOutputRecords(ends); \
        ThreadNodeOutputRecords<Value> pack = Pack[item.value % c_packs].GetThreadNodeOutputRecords(ends); \
        ThreadNodeOutputRecords<Value> field = Field[item.value % c_fields].GetThreadNodeOutputRecords(ends); \
        if (ends != 0) \
        { \
            made.Get().number = item.tile; \
            made.Get().value = item.value; \
            grid.Get().grid = uint2(item.value % 4, 1 + item.value / 4 % 3); \
            grid.Get().number = item.value % c_areas; \
            grid.Get().value = item.value; \
            pack.Get().number = item.value % c_packs; \
            pack.Get().value = item.value; \
            field.Get().number = item.value % c_fields; \
            field.Get().value = item.value; \
        } \
        made.OutputComplete(); \
        grid.OutputComplete(); \
        pack.OutputComplete(); \
        field.OutputComplete(); \
        Tick[item.value % c_ticks].ThreadIncrementOutputCount(item.value % 3); \
    }

#define TILES(n) TILE(n##0, 0) TILE(n##1, 1) TILE(n##2, 2) TILE(n##3, 3) TILE(n##4, 0) \
                 TILE(n##5, 1) TILE(n##6, 2) TILE(n##7, 3) TILE(n##8, 0) TILE(n##9, 1)
TILES() TILES(1) TILES(2) TILES(3)

// These have numbers of their own in their code.
#define PART(n) \
    [Shader("node")] [NodeLaunch("thread")] [NodeID("Part", n)] \
    void Part##n(ThreadNodeInputRecord<Value> input) \
    { \
        InterlockedAdd(Result[c_part + n], input.Get().value ^ input.Get().number); \
    }
PART(0) PART(1) PART(2) PART(3)

#define AREA(n) \
    [Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(3, 3, 1)] [NumThreads(4, 1, 1)] [NodeID("Area", n)] \
    void Area##n(DispatchNodeInputRecord<Grid> input, uint3 at : SV_DispatchThreadID) \
    { \
        InterlockedAdd(Result[c_area + input.Get().number], input.Get().value * (1 + at.x + 20 * at.y)); \
    }
AREA(0) AREA(1) AREA(2) AREA(3) AREA(4) AREA(5) AREA(6) AREA(7) AREA(8) AREA(9) AREA(10) AREA(11)

#define PACK(n) \
    [Shader("node")] [NodeLaunch("coalescing")] [NumThreads(4, 1, 1)] [NodeID("Pack", n)] \
    void Pack##n([MaxRecords(5)] GroupNodeInputRecords<Value> input, uint thread : SV_GroupIndex) \
    { \
        for (uint i = thread; i < input.Count(); i += 4) \
        { \
            InterlockedAdd(Result[c_pack + input.Get(i).number], input.Get(i).value); \
        } \
    }
PACK(0) PACK(1) PACK(2) PACK(3) PACK(4) PACK(5) PACK(6) PACK(7) PACK(8) PACK(9)

#define FIELD(n) \
    [Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(2, 3, 1)] [NumThreads(2, 1, 1)] [NodeID("Field", n)] \
    void Field##n(DispatchNodeInputRecord<Value> input, uint3 at : SV_DispatchThreadID) \
    { \
        InterlockedXor(Result[c_field + input.Get().number], input.Get().value * (1 + at.x + 4 * at.y)); \
    }
FIELD(0) FIELD(1) FIELD(2) FIELD(3) FIELD(4) FIELD(5) FIELD(6) FIELD(7)

#define TICK(n) \
    [Shader("node")] [NodeLaunch("coalescing")] [NumThreads(1, 1, 1)] [NodeID("Tick", n)] \
    void Tick##n([MaxRecords(9)] EmptyNodeInput input) { InterlockedAdd(Result[c_tick], input.Count()); }
TICK(0) TICK(1) TICK(2) TICK(3) TICK(4) TICK(5)
