// A value hides a record or enum of its scope from its declaration on; `struct` and `enum` name the hidden type.
struct Item { uint v; };
StructuredBuffer<Item> Item : register(t0);
enum Mode { Slow, Fast };
static const Mode Mode = Fast;
struct Light { float3 colour; };
cbuffer Frame { Light Light; struct Light Second; Light Third; } //~ ERROR WG0102
struct Part { uint n; };
struct Whole
{
    Part Early() { return Part; }
    struct Part Part;
    Part Late; //~ ERROR WG0102
};
struct Derived : Whole { Part Other; }; //~ ERROR WG0102
struct Cell { uint a; };
groupshared Cell Cell[4];
uint Cells() { Cell c = Cell[0]; return c.a; } //~ ERROR WG0102
namespace N { struct P { uint a; }; static P P; }
uint Qualified() { N::P p = N::P; struct N::P q = N::P; return q.a; } //~ ERROR WG0102
typedef float3 Colour;
static Colour Colour; //~ ERROR WG0103
template<typename T> struct Box { T v; };
static Box<uint> Box; //~ ERROR WG0103
namespace Space { static uint a; }
static uint Space; //~ ERROR WG0103
uint Count() { return 1; }
struct Count { uint n; };
uint Counts() { struct Count c; c.n = Count(); return c.n; }
uint Locals()
{
    struct Own { uint a; };
    Own Own;
    Own.a = 1;
    struct Own other = Own;
    Own third; //~ ERROR WG0102
    return other.a;
}
RWStructuredBuffer<uint> Out : register(u1);
[Shader("node")] [NodeLaunch("thread")]
void Start()
{
    struct Item one = Item[0];
    enum Mode mode = Mode;
    Out[0] = one.v + Mode::Slow + mode;
}
