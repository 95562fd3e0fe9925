// Attributes that would change the duties of a host are not left out silently.
struct Push { uint first; [[vk::offset(16)]] uint second; };
[[vk::push_constant]] Push push;
[[vk::combinedImageSampler]] [[vk::binding(3)]] Texture2D<float4> Albedo; //~ ERROR WG0220
RWStructuredBuffer<uint> Out;
[[vk::bindin(1)]] RWStructuredBuffer<uint> More; //~ WARN WG0119
struct [[vk::what]] Other //~ WARN WG0119
{
    [[vk::ofset(4)]] uint a; //~ WARN WG0119
};
[[vk::ext_instructon(1)]] void instruct([[vk::ext_literl]] uint a) { } //~ WARN WG0119 WARN WG0119
[[vk::index(0)]] static uint known_elsewhere;

[Shader("node")]
[NodeLaunch("thread")]
void Node() { Out[0] = push.second + uint(Albedo[uint2(0, 0)].x); }
