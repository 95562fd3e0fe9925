// Variables that outlive a call, initial values that are computed, objects seen as their bases, casts as lvalues. The values
// in lifetimes.run.json are worked out manually.

RWStructuredBuffer<uint> Out : register(u0);
RWStructuredBuffer<int> Signed : register(u1);

struct Rec
{
    uint seed;
};

uint Square(uint x) { return x * x; }

// Computed when the node starts, in this order, regardless of the order of uses.
static uint Base = Square(3);                       // 9
static const uint2 Pair = uint2(Base + 1, Square(2)); // 10, 4
static uint Table[3] = { Base, Pair.x, Pair.y };    // 9, 10, 4

struct Counter
{
    uint count;
    void Add(uint n) { count += n; }
    uint Twice() { return count * 2; }
};

struct Named : Counter
{
    uint id;
    struct { uint low; uint high; };
    static const uint Kind = 77;
    static uint Plus(uint a) { return a + 1; }
    uint Wide() { return high * 100 + low; }
    void Count(uint n) { Add(n); ((Counter)this).count += 1; }
};

groupshared Named Shared;
RWStructuredBuffer<Named> Items : register(u2);

// One variable for each instance of a template, and for each thread.
template<typename T> T Next()
{
    static T next = (T)5;
    return next++;
}

uint Once(uint seed)
{
    static uint first = seed * 2; // kept from the first call
    static const uint known = Square(seed);
    static uint hits;
    hits++;
    return first * 10000 + known * 10 + hits;
}

void Reset(out Counter c) { c.count = 40; }
void Bump(inout uint x) { x += 3; }

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(2, 1, 1)]
void Main(DispatchNodeInputRecord<Rec> input, uint thread : SV_GroupIndex)
{
    if (thread == 0)
    {
        Shared.count = 1;
        Shared.low = 2;
        Shared.high = 3;
        Shared.Add(6);      // 7: a method of a base, on the shared object itself
        Shared.Count(2);    // 10
        Items[1].Add(20);
        Items[1].Count(1);  // 22
    }
    GroupMemoryBarrierWithGroupSync();
    if (thread != 1)
        return;
    uint seed = input.Get().seed; // 4
    Out[0] = Table[0] + Table[1] * 10 + Table[2] * 1000; // 4109
    Out[1] = Next<uint>() + Next<uint>() * 10;           // 5 + 60: the second instance starts again
    Out[2] = (uint)(Next<float>() * 2) + Next<uint>();   // 10 + 7
    Out[3] = Once(seed);     // 80000 + 160 + 1
    Out[4] = Once(seed + 1); // 80000 + 160 + 2
    Out[5] = Shared.Twice(); // 20
    Out[6] = Shared.Wide();  // 302
    Named named = { 1, 2, 3, 4 };
    Reset((Counter)named);
    named.Add(1);
    Out[7] = named.count + named.id * 100 + named.low * 1000 + named.high * 10000; // 41 + 200 + 3000 + 40000
    Out[8] = named.Kind + named.Plus(seed) * 100; // 577
    uint x = 5, y = 0;
    Bump(++x);          // 9
    (y += 2, x) += 10;  // 19
    Out[9] = x * 10 + y; // 192
    int s = -8;
    Bump((uint)s);
    Out[10] = (uint)(s + 10); // 5
    InterlockedOr((uint)Signed[0], 6u);
    (void)Square(seed);
    Out[11] = Base++ + Base; // 9 + 10
}
