// Names, types, constants, globals.
uint count() { return cuont(); } //~ ERROR WG0101
typo3 unknown_type; //~ ERROR WG0101
static const uint N = 4;
N not_a_type; //~ ERROR WG0102

struct Twice { uint x; };
struct Twice { uint y; }; //~ ERROR WG0103
struct Forward;
struct Forward { uint x; };
uint same(uint x) { return x; }
uint same(float x) { return 1; }
uint same(uint y) { return y; } //~ ERROR WG0103
struct Fields { uint a; float a; }; //~ ERROR WG0103

struct Inside { Inside inner; }; //~ ERROR WG0108
struct Ping { uint x; };
static const uint a = b; //~ ERROR WG0135
static const uint b = b; //~ ERROR WG0108
struct Derived : N { }; //~ ERROR WG0102

groupshared uint zero[0]; //~ ERROR WG0107
groupshared uint negative[N - 5]; //~ ERROR WG0107
groupshared uint good[N * 2 - 7];
groupshared uint by_zero[N / 0]; //~ ERROR WG0106
vector<float, 5> wide; //~ ERROR WG0104
static vector<uint, N - 1> narrow;
template<typename T, int M = 2> struct Box { T values[M]; };
static Box<float, 3> box3;
static Box<float> box2;
static Box<uint[2][3], 1> array_box;
_Static_assert(sizeof(Box<uint[2][3], 1>) == 24, "an array as an argument");
uint unknown_parameter(Missing a) { return 1; } //~ ERROR WG0101
uint unknown_parameter(Missing b) { return 1; } //~ ERROR WG0101
static Box<> empty_box; //~ ERROR WG0104
static Box<1> value_box; //~ ERROR WG0102

RWStructuredBuffer<uint> wrong_class : register(t0); //~ ERROR WG0113
RWStructuredBuffer<uint> u0 : register(u0);
RWStructuredBuffer<uint> u0_again : register(u0);
StructuredBuffer<uint> t0 : register(t0, space0);
[[vk::binding(7, 2)]] RWStructuredBuffer<float> explicit_binding;
cbuffer Constants : register(b0) { float4 color; uint flags; };
cbuffer Beside { Texture2D<float4> image; };
GlobalRootSignature rs = { "UAV(u0), CBV(b0)" };
GlobalRootSignature broken = { "UVA(u0)" }; //~ ERROR WG0118
NodeOutput<Ping> global_output; //~ ERROR WG0116
_Static_assert(N == 4, "four");
_Static_assert(sizeof(Ping) == 8, "wrong"); //~ ERROR WG0117
enum Color { Red = 1, Green, Blue = Green * 4, White = Blue + 1 };
_Static_assert(White == 9, "enum arithmetic");
namespace outer { namespace inner { static const int depth = 2; } static const int via = inner::depth + 1; }
_Static_assert(outer::via == 3 && outer::inner::depth == 2, "namespaces");
using namespace outer::inner;
_Static_assert(depth == 2, "through using");
using namespace nowhere; //~ ERROR WG0101
uint internal() { return wgc::WorkgroupId().x; } //~ ERROR WG0111

[Shader("node")] [NodeLaunch("thread")] void keeps_the_program_from_being_empty() { }

// Bit-fields.
struct Bits {
    uint none : 0;          //~ ERROR WG0130
    uint wide : 33;         //~ ERROR WG0130
    float real : 3;         //~ ERROR WG0130
    uint twice : 3;
    uint again : 3;
    uint twice : 4;         //~ ERROR WG0103
    uint grid : 4 : SV_DispatchGrid; //~ ERROR WG0130
};

// Only methods share a name.
struct Shared {
    uint f;
    uint f() { return 1; }  //~ ERROR WG0103
    uint g() { return 1; }
    uint g(uint x) { return x; }
    static uint g;          //~ ERROR WG0103
    static const uint k = 1;
    uint k;                 //~ ERROR WG0103
    typedef uint T;
    uint T;                 //~ ERROR WG0103
    struct Tag { uint x; };
    Tag Tag;
};

// One base may have fields, any number may have none.
interface Countable { uint count(); };
struct Left { uint a; };
struct Right { uint b; };
struct Both : Left, Right { uint c; }; //~ ERROR WG0109
struct Counted : Countable, Left { uint count() { return a; } };

// Initial values that are computed are checked like statements.
float3 make(float x) { return x; }
static float3 computed = make(2);
static float2 shorter = make(2);  //~ WARN WG0211
static uint missing = make();     //~ ERROR WG0201

