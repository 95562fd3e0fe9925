// Attributes, registers and modifiers that do not belong on a declaration, and names with a typing mistake.
[[vk::bindng(1)]] cbuffer Frame { [[vk::binding(2)]] uint tick; }; //~ WARN WG0119
cbuffer Camera { uint far : register(u0); uint near : register(c4); }; //~ ERROR WG0113
uint host : register(t1); //~ ERROR WG0113
bool flag : register(i2);
static const uint four : register(s1) = 4; //~ ERROR WG0113
Texture2D<float4> Albedo : register(t0);
static Texture2D<float4> also_albedo = Albedo;

struct [[vk::binding(0)]] Record { [[vk::constant_id(1)]] uint x; }; //~ ERROR WG0120 ERROR WG0120
[[vk::ofset(4)]] struct Before { uint x; }; //~ WARN WG0119
[[vk::bindng(4)]] enum Kind { Small }; //~ WARN WG0119
[[vk::push_constant]] typedef uint Alias; //~ ERROR WG0120
[[vk::location(0)]] float4 Pixel([[vk::location(1)]] float x) : SV_Target { return x; }
uint Read([[vk::binding(0)]] uint x) { return x; } //~ ERROR WG0120

row_major column_major float4x4 both; //~ ERROR WG0112
typedef RWBuffer<unorm snorm float> Formats; //~ ERROR WG0112
void Share(groupshared inout uint x) { x = 1; } //~ ERROR WG0112

[Shader("node")]
[NodeLaunch("thread")]
void Node(column_major row_major float2x2 m : SV_GroupIndex) //~ ERROR WG0112 ERROR WG0314
{
    [[vk::constant_id(3)]] const uint n = 4; //~ ERROR WG0120
    [[vk::bindng(3)]] uint k = n; //~ WARN WG0119
}
