// An array of COUNT elements that share their code, each with sixteen levels of recursion below the first. A record
// goes through all levels of one element.

struct Item { uint id; uint value; };
[[vk::binding(0)]] RWStructuredBuffer<uint> Out;

static const uint c_first = 1000;

[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry]
void Start(ThreadNodeInputRecord<Item> input,
           [MaxRecords(1)] [NodeID("Tile", c_first)] [NodeArraySize(COUNT)] NodeOutputArray<Item> tiles)
{
    Item item = input.Get();
    ThreadNodeOutputRecords<Item> made = tiles[item.value % COUNT].GetThreadNodeOutputRecords(1);
    made.Get().id = item.id;
    made.Get().value = item.value;
    made.OutputComplete();
}

#define TILE(n)                                                                                                      \
    [Shader("node")] [NodeLaunch("thread")] [NodeID("Tile", n)] [NodeMaxRecursionDepth(16)]                          \
    void Tile##n(ThreadNodeInputRecord<Item> input, [MaxRecords(1)] [NodeID("Tile", n)] NodeOutput<Item> again)      \
    {                                                                                                                \
        Item item = input.Get();                                                                                     \
        bool more = again.IsValid();                                                                                 \
        ThreadNodeOutputRecords<Item> made = again.GetThreadNodeOutputRecords(more ? 1 : 0);                         \
        if (more)                                                                                                    \
        {                                                                                                            \
            made.Get().id = item.id;                                                                                 \
            made.Get().value = item.value * 3 + 1;                                                                   \
        }                                                                                                            \
        else                                                                                                         \
        {                                                                                                            \
            Out[item.id] = item.value;                                                                               \
        }                                                                                                            \
        made.OutputComplete();                                                                                       \
    }

#define TEN(n) TILE(n##0) TILE(n##1) TILE(n##2) TILE(n##3) TILE(n##4)                                                \
               TILE(n##5) TILE(n##6) TILE(n##7) TILE(n##8) TILE(n##9)
#define HUNDRED(n) TEN(n##0) TEN(n##1) TEN(n##2) TEN(n##3) TEN(n##4) TEN(n##5) TEN(n##6) TEN(n##7) TEN(n##8) TEN(n##9)

#if COUNT < 100
TEN(100)
#if COUNT > 10
TEN(101)
TEN(102)
#endif
#if COUNT > 30
TEN(103)
TEN(104)
TEN(105)
#endif
#else
HUNDRED(10)
#if COUNT > 100
HUNDRED(11)
HUNDRED(12)
#endif
#if COUNT > 300
HUNDRED(13)
HUNDRED(14)
HUNDRED(15)
HUNDRED(16)
HUNDRED(17)
HUNDRED(18)
HUNDRED(19)
#endif
#endif
