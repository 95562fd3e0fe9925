// Properties of a resource's name and not of its memory: `const`, `inout`, `static`, arrays of any length, initialisers.

RWStructuredBuffer<uint> Out : register(u0);
RWBuffer<uint> Texels : register(u1);
RWTexture2D<uint> Counts : register(u2);
StructuredBuffer<uint> Two[2] : register(t3);
StructuredBuffer<uint> Three[3] : register(t4);
StructuredBuffer<uint> Open[] : register(t0, space1);

static const RWStructuredBuffer<uint> Named = Out;

struct View
{
    RWStructuredBuffer<uint> data;
    uint first;

    void Put(uint value) const { data[first] = value; }
};

struct Pair { StructuredBuffer<uint> from; RWStructuredBuffer<uint> to; };
struct Inner { StructuredBuffer<uint> from; };
struct Several { Inner inner; RWStructuredBuffer<uint> to; StructuredBuffer<uint> lists[2]; uint n; };

void Put(const RWStructuredBuffer<uint> to, uint at, uint value) { to[at] = value; }

void Double(const View v) { v.data[v.first + 1] = v.data[v.first] * 2; }

uint Read(inout StructuredBuffer<uint> list) { return list[0]; }

uint Add(inout StructuredBuffer<uint> list, inout RWStructuredBuffer<uint> to, inout uint at)
{
    to[at] = Read(list) + 1;
    at += 1;
    return list[1];
}

uint Digits(StructuredBuffer<uint> lists[], uint n)
{
    uint all = 0;
    for (uint i = 0; i < n; ++i)
        all = all * 10 + lists[i][0];
    return all;
}

uint Both(StructuredBuffer<uint> lists[], uint n) { return Digits(lists, n) * 1000 + lists[0][1]; }

uint Second(StructuredBuffer<uint> lists[2]) { return lists[1][1]; }

uint Next()
{
    static RWStructuredBuffer<uint> kept = Out;
    static uint calls = 10;
    return kept[1] + calls++;
}

[Shader("node")]
[NodeLaunch("thread")]
void Start()
{
    Named[0] = 5;
    const RWStructuredBuffer<uint> here = Out;
    here[1] = 7;
    Put(here, 2, 8);
    const View view = { Out, 3 };
    view.Put(9);
    Double(view);

    uint at = 5;
    uint got = Add(Two[1], Out, at);
    Out[6] = got * 10 + at;

    Out[7] = Digits(Two, 2);
    Out[8] = Both(Three, 3);
    StructuredBuffer<uint> own[2] = { Three[2], Two[0] };
    Out[9] = Both(own, 2);
    Out[10] = Second(Open);
    Out[11] = Next();
    Out[11] = Out[11] * 100 + Next();

    Pair pair = { Two[1], Out };
    Several several = { pair, { Two[0], Three[0] }, 40 };
    several.to[12] = several.inner.from[1] * 1000 + several.lists[1][0] * 100 + several.n + several.lists[0][1];

    uint old;
    InterlockedAdd(Texels[0].x, 3);
    InterlockedMax(Counts[uint2(1, 0)].r, 6, old);
    const RWBuffer<uint> texels = Texels;
    InterlockedOr(texels[1], 8);
    Out[13] = old;
}
