// Resources of one register: nodes that each use one of them, and one that uses both.
struct R { uint x; };
struct Clear { uint value; };
struct Cull { uint first; uint last; };
struct Pair { Texture2D<float4> map; SamplerState filter; };

StructuredBuffer<Clear> ClearSettings : register(t0, space1);
StructuredBuffer<Cull> CullSettings : register(t0, space1);
StructuredBuffer<uint> Unused : register(t0, space1);
ConstantBuffer<Clear> Local : register(b0, space2);
ConstantBuffer<Cull> LocalToo : register(b0, space2);
Pair Images : register(t8, space3) : register(s9, space3);
Texture2D<float4> Image : register(t8, space3); //~ ERROR WG0114
RWStructuredBuffer<uint> Out : register(u0, space4);

[Shader("node")] [NodeLaunch("thread")]
void ClearAll() { Out[0] = ClearSettings[0].value + Local.value; }

uint first() { return LocalToo.first; }
[Shader("node")] [NodeLaunch("thread")]
void CullAll() { Out[1] = CullSettings[0].first + first(); }

[Shader("node")] [NodeLaunch("thread")]
void Both() { Out[2] = (uint)(Images.map.SampleLevel(Images.filter, 0, 0).x + Image.Load(0).x); }
