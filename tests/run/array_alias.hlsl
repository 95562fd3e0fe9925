// An alias may name an array: `using N = T[n];`

enum Kind { First, Second, Count };

struct Item { uint a; uint b; };

using Items = Item[Kind::Count];
using Grid = uint[2][3];
template <typename T> using Pairs = T[2];

struct Rec { Pairs<uint> given; };

struct Both { Items items; Grid grid; };

RWStructuredBuffer<uint> Out;
groupshared Grid Shared;

uint Sum(Grid grid)
{
    uint sum = 0;
    for (uint i = 0; i < 2; i++)
        for (uint j = 0; j < 3; j++) sum = sum * 10 + grid[i][j];
    return sum;
}

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(1, 1, 1)]
void Start(DispatchNodeInputRecord<Rec> input)
{
    using Local = float[3];
    Local floats = { 0.5, 1.5, 2.5 };
    Both both = { 1, 2, 3, 4, 1, 2, 3, 4, 5, 6 };
    Shared = both.grid;
    Shared[1][2] = 9;
    Grid copy = Shared;
    Out[0] = both.items[Kind::Second].a * 10 + both.items[Kind::First].b;
    Out[1] = Sum(both.grid);
    Out[2] = Sum(copy);
    Out[3] = (uint)(floats[0] + floats[1] + floats[2] + 0.5);
    Out[4] = input.Get().given[0] * 100 + input.Get().given[1];
    Out[5] = sizeof(Grid) + sizeof(Items) * 100;
}
