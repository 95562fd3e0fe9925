// `<` begins template arguments only after the name of a template; values hide templates and types of their names.
RWStructuredBuffer<uint> Out : register(u0);

template<int N> uint num() { return N; }
template<bool B> uint flag() { return B ? 10 : 20; }
template<typename T> struct Box { T v; template<typename U> U as() { return (U)v; } };
template<typename T> T pick(bool q, T x, T y) { return q ? x : y; }
uint Both(bool x, bool y) { return (x ? 1 : 0) + (y ? 2 : 0); }

template<typename T = uint, int N = 4> struct Row;
template<typename A, int B> struct Row { A v[B]; };
template<typename T, bool Double = true> T scale(T x);
template<typename A, bool B> A scale(A y) { return B ? y * 2 : y; }

struct Item { uint v; };
struct Holder
{
    uint num;
    Item Item;
    uint test(uint q, uint r) { return Both(num < q, r > (num)) + Item.v; }
};
struct Cell { uint a; };
groupshared Cell Cell[2];
static const uint K = 3;

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(1, 1, 1)]
void Start(uint3 id : SV_DispatchThreadID)
{
    uint a = id.x, b = 1, c = 2, d = 3;
    Out[0] = Both(a < b, c > (d));
    Out[1] = Both(a < num<3>(), num<4>() > (b));
    uint Box = 3;
    Out[2] = Both(Box < b, d > (c));
    Out[3] = flag<K < 3>() + flag<(K > 2)>();
    Holder h;
    h.num = 5;
    h.Item.v = 100;
    Out[4] = h.test(6, 5);
    bool list[2] = { b < a, d > (c) };
    Out[5] = Both(list[0], list[1]);
    Out[6] = pick<uint>(a < b, 7, c > (d));
    Cell[0].a = 40;
    struct Cell copy = Cell[0];
    Out[7] = copy.a + (K) - 1;
    Row<> row;
    row.v[3] = scale(11u) + scale<uint, false>(1);
    Out[8] = row.v[3];
    uint length = 2;
    Out[9] = Both(length < d, b > (length));
}
