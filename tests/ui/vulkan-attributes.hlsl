// What would change what a host must do is not left out silently.
struct Push { uint first; [[vk::offset(16)]] uint second; };
[[vk::push_constant]] Push push;
[[vk::combinedImageSampler]] [[vk::binding(3)]] Texture2D<float4> Albedo; //~ ERROR WG0220
RWStructuredBuffer<uint> Out;

[Shader("node")]
[NodeLaunch("thread")]
void Node() { Out[0] = push.second + uint(Albedo[uint2(0, 0)].x); }
