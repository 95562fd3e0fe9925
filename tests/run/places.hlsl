// A value of every kind of type, in every place that a run file fills. It is given by name, changed in every part, and expected
// by name: members of a cbuffer, constant buffers of two layouts, push constants, structured buffers, entry records.

enum class Colour : uint { Red, Green = 5, Blue };
enum Level : int16_t { Low = -2, High = 7 };

struct Inner
{
    half h;
    float3x2 m;
    row_major float2x3 r;
    bool2 flags;
};

struct All
{
    bool on;
    int i;
    uint u;
    int64_t big;
    uint64_t huge;
    half h;
    int16_t small;
    min16uint least;
    float f;
    double d;
    Colour colour;
    Level level;
    float3 v;
    vector<int64_t, 2> pair;
    uint grid[2][3];
    Inner inner[2];
    int low : 5;
    uint mid : 20;
    uint rest : 12;
    bool bit : 1;
    float nothing;
    double endless;
};

struct Few
{
    bool on;
    double d;
    uint64_t huge;
    half h;
    int16_t small;
    Colour colour;
    float2x2 m;
    int low : 7;
    int high : 25;
};

cbuffer Loose : register(b0)
{
    float first;
    All member;
    uint16_t last[2];
};
ConstantBuffer<All> Constants : register(b1);
[[vk::push_constant]] Few Push;
StructuredBuffer<All> Items : register(t2);
RWStructuredBuffer<All> Out : register(u3);
RWStructuredBuffer<Few> Fews : register(u4);

Inner Changed(Inner a)
{
    a.h *= 2;
    a.m = -a.m;
    a.m[2][1] += 100;
    a.r = a.r * 2;
    a.r[0][2] += 100;
    a.flags = a.flags.yx;
    return a;
}

All Changed(All a)
{
    a.on = !a.on;
    a.i -= 1;
    a.u += 1;
    a.big -= 1;
    a.huge += 1;
    a.h *= 2;
    a.small = -a.small;
    a.least += 3;
    a.f = a.f * 1.25;
    a.d *= 3;
    a.colour = a.colour == Colour::Green ? Colour::Blue : Colour::Red;
    a.level = a.level == Low ? High : Low;
    a.v = a.v.zxy;
    a.pair = a.pair.yx;
    for (uint n = 0; n < 6; n++)
        a.grid[n / 3][n % 3] += n;
    Inner kept = a.inner[0];
    a.inner[0] = Changed(a.inner[1]);
    a.inner[1] = kept;
    a.low -= 1;
    a.mid += 1;
    a.rest = ~a.rest;
    a.bit = !a.bit;
    a.nothing *= 2;
    a.endless *= -2;
    return a;
}

[Shader("node")]
[NodeLaunch("thread")]
void Main(ThreadNodeInputRecord<All> input)
{
    All whole = member;
    whole.u += (uint)first + last[0] * 10 + last[1] * 100;
    Out[0] = Changed(whole);
    Out[1] = Changed(Constants);
    Out[2] = Changed(Items[1]);
    Out[3] = Changed(input.Get());

    Few few = Push;
    few.on = !few.on;
    few.d /= 2;
    few.huge *= 2;
    few.h += 1;
    few.small += 1;
    few.colour = few.colour == Colour::Blue ? Colour::Green : Colour::Red;
    few.m = transpose(few.m);
    few.low += few.high;
    few.high = -few.high;
    Fews[1] = few;
}
