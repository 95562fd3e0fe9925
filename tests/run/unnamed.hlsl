// Unnamed things and unusual calls: namespaces without a name inside of others, inline ones, bit-fields that are padding.
// Also operators called by name, `sizeof` without parentheses, switches without labels.

RWStructuredBuffer<uint> Out : register(u0);

namespace lib
{
    namespace
    {
        static const uint Offset = 7;
        struct Pair { uint x, y; };
        uint twice(uint x) { return x * 2; }
        namespace deep { uint three() { return 3; } }
    }
    uint api(uint x)
    {
        Pair p = { twice(x), Offset };
        return p.x + p.y;
    }
    inline namespace V2 { uint two() { return 2; } struct Box { uint y; }; }
    uint use() { return two(); }
}
namespace { namespace inner { uint five() { return 5; } } }
inline namespace V1 { uint one() { return 1; } namespace In { uint four() { return 4; } } }
inline namespace Empty {}

struct Padded { uint : 3; uint y : 4; uint : 2; uint z : 2; uint : 0; uint : 0; uint w : 2; };
struct Split { uint a : 3; uint : 0; uint d : 8; };
struct Head { uint : 3; uint x; };
static const Padded Table[2] = { { 1, 1, 3 }, 4, 0, 2 };
RWStructuredBuffer<Padded> Words : register(u1);

struct Count
{
    uint v;
    Count operator+(Count t) { Count r; r.v = v + t.v; return r; }
    bool operator<(Count t) { return v < t.v; }
    uint operator()(uint a) { return a + v; }
    uint operator[](uint a) { return a * v; }
    Count thrice() { return operator+(this) + this; }
};

[Shader("node")]
[NodeLaunch("thread")]
void Main()
{
    Out[0] = lib::api(3);                                                        // 6 + 7
    Out[1] = lib::twice(4) + lib::Offset + lib::deep::three() + inner::five();   // 8 + 7 + 3 + 5
    lib::Pair pair = { 3, 4 };
    lib::Box box = { 2 };
    Out[2] = pair.x * 10 + box.y;
    Out[3] = one() + V1::one() + In::four() + V1::In::four();
    Out[4] = lib::two() + lib::V2::two() + lib::use();

    Count s = { 4 }, t = { 6 };
    Out[5] = s.operator+(t).v;
    Out[6] = s.operator<(t);
    Out[7] = s.operator()(2) * 100 + s.operator[](3);                            // 6 and 12
    Out[8] = s.thrice().v;
    Out[9] = sizeof s + sizeof(Count) + sizeof s.v * 2 + sizeof(float4) + sizeof (s).v + sizeof(unsigned int);
    uint list[sizeof(float2)];
    Out[10] = sizeof list + sizeof list[0];                                      // 32 + 4

    Split split = { 5, 6 };
    Head head = { 7 };
    Padded padded = { 1, 2, 3 };
    Out[11] = split.a * 10 + split.d;
    Out[12] = sizeof(Split) * 100 + sizeof(Head) * 10 + head.x;
    uint3 values = { padded };
    Out[13] = values.x * 100 + values.y * 10 + values.z;
    Out[14] = Table[1].y * 100 + Table[1].z * 10 + Table[1].w;
    Words[0] = padded;                                                           // 1 at bit 3, 2 at bit 9; 3
    switch (split.a++) { }
    Out[15] = split.a;
}
