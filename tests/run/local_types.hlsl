// Types that functions define: one name in several functions and blocks, methods, constants and template parameters of
// the function around them. Also types inside methods of such types, enums, and types without a name.

RWStructuredBuffer<uint> Out;

uint Integers()
{
    struct Pair
    {
        uint a, b;
        uint sum() { return a + b; }
    };
    Pair pair = { 1, 2 };
    return pair.sum();
}

uint Floats()
{
    struct Pair
    {
        float a;
        uint sum() { return uint(a); }
    } pair;
    pair.a = 40.5;
    return pair.sum();
}

template<typename T> T Total(T value)
{
    const uint COUNT = 3;
    struct Box
    {
        T items[COUNT];
        T total()
        {
            T sum = 0;
            for (uint i = 0; i < COUNT; ++i)
                sum += items[i];
            return sum;
        }
    };
    enum Kind { Even, Odd = 5 };
    Box box;
    for (uint i = 0; i < COUNT; ++i)
        box.items[i] = value;
    return box.total() + (T)Odd;
}

template<typename T> uint SizeOf(T value) { return sizeof(T); }

struct Outer
{
    uint value;
    static uint four() { return 4; }
    uint twice_and_four()
    {
        struct Inner
        {
            uint value;
            uint and_four() { return four() + value; }
            Inner operator+(Inner other)
            {
                Inner sum = { value + other.value };
                return sum;
            }
        };
        Inner inner = { value };
        inner = inner + inner;
        return inner.and_four();
    }
};

[Shader("node")]
[NodeLaunch("thread")]
void Main()
{
    typedef struct { uint x; float3 y; } Unnamed;
    struct Level
    {
        uint depth;
        uint deeper()
        {
            struct Level
            {
                uint depth;
                uint doubled() { return depth * 2; }
            };
            Level level = { depth };
            return level.doubled();
        }
    };
    enum class Mode : uint { First = 3, Second };
    static const uint BASE = 7;
    struct Scaled
    {
        static const uint FACTOR = BASE * 2;
        uint by;
        uint get() { return by * FACTOR; }
    };

    Unnamed unnamed;
    unnamed.x = BASE;
    unnamed.y = 1;
    Level level = { 10 };
    Outer outer = { 11 };
    Scaled scaled = { 3 };
    {
        struct Level { uint other; };
        Level hidden = { 100 };
        Out[8] = hidden.other;
    }
    Out[0] = Integers();
    Out[1] = Floats();
    Out[2] = Total(2u);
    Out[3] = uint(Total(1.5f));
    Out[4] = unnamed.x + SizeOf(unnamed);
    Out[5] = level.deeper();
    Out[6] = outer.twice_and_four();
    Out[7] = (uint)Mode::Second;
    Out[9] = scaled.get();
}
