// An array of 200 elements that share their code, each with four levels of recursion; few of them get records. The emulated
// target has one dispatch for each level of all of them (`--joint-dispatch`).

RWStructuredBuffer<uint> Result : register(u0);

static const uint c_first = 100;
static const uint c_tiles = 200;

struct Item
{
    uint tile;
    uint depth;
    uint value;
};

[Shader("node")]
[NodeLaunch("thread")]
[NodeIsProgramEntry]
void Start(
    ThreadNodeInputRecord<Item> input,
    [MaxRecords(1)] [NodeID("Tile", c_first)] [NodeArraySize(c_tiles)] NodeOutputArray<Item> tiles)
{
    ThreadNodeOutputRecords<Item> item = tiles[input.Get().tile].GetThreadNodeOutputRecords(1);
    item.Get() = input.Get();
    item.OutputComplete();
}

void Count(Item item, uint left)
{
    InterlockedAdd(Result[item.tile], item.value * (left + 1));
    InterlockedAdd(Result[c_tiles + left], 1);
}

#define TILE(n) \
    [Shader("node")] [NodeLaunch("thread")] [NodeID("Tile", n)] [NodeMaxRecursionDepth(3)] \
    void Tile##n( \
        ThreadNodeInputRecord<Item> input, [MaxRecords(2)] [NodeID("Tile", n)] NodeOutput<Item> again) \
    { \
        Item item = input.Get(); \
        Count(item, GetRemainingRecursionLevels()); \
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
    }

#define TEN(n) TILE(n##0) TILE(n##1) TILE(n##2) TILE(n##3) TILE(n##4) \
               TILE(n##5) TILE(n##6) TILE(n##7) TILE(n##8) TILE(n##9)
#define HUNDRED(n) TEN(n##0) TEN(n##1) TEN(n##2) TEN(n##3) TEN(n##4) TEN(n##5) TEN(n##6) TEN(n##7) TEN(n##8) TEN(n##9)
HUNDRED(1) HUNDRED(2)
