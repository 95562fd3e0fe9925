// Members defined outside of their records, specialisations of functions and records, static members. The values in
// definitions.run.json are worked out manually.

RWStructuredBuffer<uint> Out : register(u0);

struct Rec
{
    uint seed;
};

namespace geometry
{
    struct Box
    {
        uint2 size;
        uint area();
        uint grown(uint by);
        uint grown(uint2 by);
        static uint Unit();

        struct Corner
        {
            uint index;
            uint code();
        };
    };

    uint perimeter(Box b);
}

uint geometry::Box::area()
{
    return size.x * size.y;
}

namespace geometry
{
    // The parameters select the overload; their names are this definition's own.
    uint Box::grown(uint2 d)
    {
        return (size.x + d.x) * (size.y + d.y);
    }

    uint Box::grown(uint d)
    {
        return grown(uint2(d, d));
    }

    uint Box::Unit()
    {
        return 1000;
    }

    uint Box::Corner::code()
    {
        return index * 7;
    }
}

uint geometry::perimeter(geometry::Box b)
{
    return 2 * (b.size.x + b.size.y);
}

// Templates: a member, and a member that is a template itself.
template<typename T, uint N>
struct Stack
{
    T items[N];
    uint count;
    static uint Made;

    void clear();
    void push(T item);
    template<typename U> U total(U start);
};

template<typename T, uint N>
uint Stack<T, N>::Made = N * 100;

template<typename T, uint N>
void Stack<T, N>::clear()
{
    count = 0;
    Made++;
}

template<typename Item, uint Capacity>
void Stack<Item, Capacity>::push(Item item)
{
    if (count < Capacity)
        items[count++] = item;
}

template<typename T, uint N>
template<typename Sum>
Sum Stack<T, N>::total(Sum start)
{
    for (uint i = 0; i < count; i++)
        start += (Sum)items[i];
    return start;
}

// A specialised member of one instance.
template<>
void Stack<uint, 2>::clear()
{
    count = 1;
    items[0] = 40;
}

// Function templates with explicit specialisations, by argument list and by deduction.
template<typename T> uint kind(T value) { return 1; }
template<> uint kind<float>(float value) { return 2; }
template<> uint kind(uint2 value) { return 3 + value.y; }

template<typename T> T identity() { return (T)1; }
template<> float2 identity<float2>() { return float2(3, 4); }

// Record templates: an explicit and two partial specialisations.
template<typename A, typename B> struct Pair { static const uint Code = 1; uint get() { return Code; } };
template<typename A> struct Pair<A, A> { static const uint Code = 2; uint get() { return Code + 20; } };
template<typename A, uint N> struct Pair<A, vector<A, N> > { static const uint Code = 3 + N; uint get() { return N; } };
template<> struct Pair<float, uint>
{
    static const uint Code = 9;
    uint extra;
    uint get();
};
uint Pair<float, uint>::get() { return extra * 2; }

// If two fit with equally many open parameters, the more special one is meant.
template<typename T> struct Box { T inner; };
template<typename T> struct Depth { static const uint value = 0; };
template<typename T> struct Depth<Box<T> > { static const uint value = 1; };
template<typename T> struct Depth<Box<Box<T> > > { static const uint value = 2; };

template<uint N> struct Factorial { static const uint value = N * Factorial<N - 1>::value; };
template<> struct Factorial<0> { static const uint value = 1; };

struct Counter
{
    static const uint Step;
    static uint Total;
    uint add(uint n) { Total += n * Step; return Total; }
};
static const uint Counter::Step = 5;
uint Counter::Total = 7;

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(1, 1, 1)]
[NodeIsProgramEntry]
void Main(DispatchNodeInputRecord<Rec> rec)
{
    uint seed = rec.Get().seed; // 3

    geometry::Box box = { seed, 4 };
    Out[0] = box.area();                    // 12
    Out[1] = box.grown(1);                  // 4 * 5
    Out[2] = box.grown(uint2(2, 0));        // 5 * 4
    Out[3] = geometry::Box::Unit();         // 1000
    geometry::Box::Corner corner = { seed };
    Out[4] = corner.code();                 // 21
    Out[5] = geometry::perimeter(box);      // 14

    Stack<uint, 3> three;
    three.clear();
    three.push(seed);
    three.push(10);
    three.push(20);
    three.push(100); // no room
    Out[6] = three.total(0.5f) * 2;         // 33.5 * 2
    Out[7] = Stack<uint, 3>::Made;          // 301
    Stack<uint, 2> two;
    two.clear();
    two.push(seed);
    Out[8] = two.total(0u);                 // 43
    Out[9] = Stack<uint, 2>::Made;          // 200

    Out[10] = kind(seed) * 100 + kind(1.5f) * 10 + kind(uint2(0, seed)); // 126
    Out[11] = identity<uint>() + (uint)identity<float2>().y;             // 5

    Pair<uint, float> primary;
    Pair<int, int> same;
    Pair<float, float3> wide;
    Pair<float, uint> special;
    special.extra = seed;
    Out[12] = primary.get();                // 1
    Out[13] = same.get();                   // 22
    Out[14] = wide.get() * 10 + Pair<uint, uint2>::Code; // 35
    Out[15] = special.get() * 10 + Pair<float, uint>::Code; // 69

    Out[16] = Factorial<5>::value;          // 120
    Counter counter;
    counter.add(seed);
    Out[17] = counter.add(1);               // 7 + 15 + 5
    Out[18] = Depth<Box<Box<uint> > >::value * 100 + Depth<Box<uint> >::value * 10 + Depth<uint>::value; // 210
}
