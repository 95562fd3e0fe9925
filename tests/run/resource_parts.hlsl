// Structures of resources that the host sets, and resources in constant buffers: each is bound separately.

struct Lists
{
    StructuredBuffer<uint> first;
    StructuredBuffer<uint> more[2];

    uint Sum(uint at) { return first[at] + more[0][at] + more[1][at]; }
};

struct Surface { Texture2D<float> map; SamplerState filter; };

struct Material
{
    Surface surface;
    Lists lists[2];
    RWStructuredBuffer<uint> log;
};

Lists Plain : register(t0);
Lists Grid[2][2] : register(t10, space1);
Material Look : register(t0, space2) : register(s40, space2) : register(u50, space2);
RWStructuredBuffer<uint> Out : register(u60);

cbuffer Settings : register(b61)
{
    uint scale;
    StructuredBuffer<uint> Table : register(t62);
    Surface Shown : register(t63) : register(s64);
    uint bias;
};

cbuffer OnlyResources
{
    ByteAddressBuffer Raw : register(t65);
};

uint Read(Surface from, float x) { return (uint)(from.map.SampleLevel(from.filter, float2(x, 0.5), 0) * 255 + 0.5); }

uint Total(StructuredBuffer<uint> lists[2], uint at) { return lists[0][at] * 10 + lists[1][at]; }

uint Passed(inout StructuredBuffer<uint> list) { return list[1]; }

struct Work { uint row; uint column; };

[Shader("node")]
[NodeLaunch("thread")]
void Start(ThreadNodeInputRecord<Work> input)
{
    Work work = input.Get();
    Out[0] = Plain.first[0] + Plain.more[work.row][1] * 100;
    Out[1] = Plain.Sum(1);
    Out[2] = Grid[1][0].first[0] * 1000 + Grid[0][1].more[1][0];
    // The record selects the structure.
    Out[3] = Grid[work.row][work.column].Sum(0);
    Lists chosen = Grid[work.column][work.row];
    Out[4] = chosen.more[0][0];
    Out[5] = Read(Look.surface, 0.75) * scale + bias;
    Out[6] = Look.lists[1].Sum(0) + Total(Look.lists[0].more, 0) * 1000;
    Look.log[Look.log.IncrementCounter()] = 7;
    Out[7] = Table[1] + Raw.Load(4) * 10 + Read(Shown, 0.25) * 100;
    Out[8] = Passed(Plain.first) + Passed(Grid[0][0].more[1]) * 10;
}
