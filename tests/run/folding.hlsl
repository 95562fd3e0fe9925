// Constant parts, nested switches that fall through, an early template. The values in folding.run.json are worked out manually.

RWStructuredBuffer<uint> Out : register(u0);

struct Rec
{
    uint seed;
};

struct Pair
{
    uint first;
    float second;
};

static const uint2 Size = uint2(4, 8);
static const Pair Chosen = { 3, 2.5 };
static const uint Table[3] = { 5, 6, Size.y - 1 };
groupshared uint Shared[Size.x * Table[1]]; // 24

template<typename T> T Twice(T x, uint n[2]);

uint Nested(uint a, uint b)
{
    uint r = 0;
    switch (a)
    {
    case 0:
        r += 1;
    case 1:
        switch (b)
        {
        case 0:
            r += 10;
        case 1:
            r += 100;
            break;
        default:
            r += 1000;
        case Table[2]: // 7
            r += 5;
        }
        r += 20000;
    case Size.x: // 4
        r += 100000;
        break;
    default:
        r = 9;
    }
    return r;
}

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(Chosen.first - 2, (uint)Chosen.second - 1, 1)]
void Main(DispatchNodeInputRecord<Rec> input)
{
    uint seed = input.Get().seed; // 0
    Out[0] = Nested(seed, seed);     // 1 + 10 + 100 + 20000 + 100000
    Out[1] = Nested(seed, 1);        // 1 + 100 + 120000
    Out[2] = Nested(seed + 1, 3);    // 1000 + 5 + 120000
    Out[3] = Nested(seed + 1, 7);    // 5 + 120000
    Out[4] = Nested(seed + 4, 0);    // 100000
    Out[5] = Nested(seed + 2, 0);    // 9
    const uint3 local = uint3(Size, 2);
    uint array[Chosen.first + local.z + Table[0]]; // 10
    array[9] = seed + 3;
    Out[6] = sizeof(array) / 4 * 10 + array[9];    // 103
    uint two[2] = { 1, 2 };
    Out[7] = Twice(seed + 21, two) + Twice<uint>(1, two);     // 42 + 2
    Out[8] = sizeof(Shared) / 4;                             // 24
}

template<typename U> U Twice(U value, uint unused[2]) { return value * unused[1]; }
