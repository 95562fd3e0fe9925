// Spellings that headers have: other names of namespaces, the word `template`, floats in base 16, lengths of arrays,
// template values with types.

RWStructuredBuffer<uint> Out;
ByteAddressBuffer Bytes;

namespace a
{
    namespace b
    {
        static const uint SIZE = 3;
        uint pick() { return 1; }
        namespace c { uint pick() { return 5; } }
    }
    namespace short_b = b;
}
namespace ab = a::b;
namespace again = ab;
namespace through = a::short_b::c;
namespace user
{
    using namespace ab;
    uint size() { return SIZE; }
}

template<typename T> struct Bits
{
    T value;
    template<typename U> U as() { return (U)value; }
};
template<typename T> uint whole(Bits<T> b) { return b.template as<uint>(); }

enum class Mode : uint { OFF, ON = 7 };
uint code(Mode m) { return (uint)m; }
uint code(bool b) { return b ? 20 : 10; }
uint code(uint n) { return n; }
uint code(int n) { return n + 1000; }
template<Mode M> uint of_mode() { return code(M); }
template<bool B> uint of_bool() { return code(B); }
template<uint N> uint of_uint() { return code(N); }

#ident "a remark"
typedef float2 pair, pairs[3];
typedef vector<uint, 2> both, list[2][3];
static const unsigned $one = 1, under$core = 2;
template<unsigned N> unsigned of_unsigned() { return code(N) + (unsigned)2.5; }

[Shader("node")]
[NodeLaunch("thread")]
void Main()
{
    namespace local = a::b::c;
    Out[0] = ab::pick() + again::pick() * 10 + through::pick() * 100 + local::pick() * 1000 + user::size() * 10000;
    Bits<float> bits = { 0x1.8p3 };
    Out[1] = whole(bits) + Bytes.template Load<uint>(4) * 100;
    Out[2] = (uint)(0x.8p1f + 0x10P-2 * 2);
    uint grid[2][6];
    Out[3] = grid.Length * 10 + grid[0].Length;
    Out[4] = of_mode<Mode::ON>() + of_bool<true>() * 100 + of_bool<5>() * 10000;
    Out[5] = of_uint<4>();
    typedef uint word, words[4];
    words four = { 1, 2, 3, 4 };
    word sum = four[3];
    pairs p = { 1, 2, 3, 4, 5, 6 };
    pair last = p[2];
    unsigned const top = 3;
    list all = { 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 8 };
    both b = all[1][2];
    Out[6] = uint(last.y) * 1000 + sum * 100 + $one * 10 + under$core;
    Out[7] = of_unsigned<40>() * 10 + top + sizeof(list) + b.y;
}
