// One block, and a structure: a pipeline has one range for push constants.
struct Push { uint first; uint second; };
[[vk::push_constant]] uint single; //~ ERROR WG0116
[[vk::push_constant]] uint several[2]; //~ ERROR WG0116
[[vk::push_constant]] Push pushes[2]; //~ ERROR WG0116
[[vk::push_constant]] float2x2 rows; //~ ERROR WG0116
[[vk::push_constant]] Texture2D<float4> image; //~ ERROR WG0116
[[vk::push_constant]] ConstantBuffer<Push> push;
[[vk::push_constant]] Push other; //~ ERROR WG0114
[[vk::push_constant]] Push unused; //~ ERROR WG0114
[[vk::push_constant]] cbuffer Constants { uint third; } //~ ERROR WG0120
RWStructuredBuffer<uint> Out;

[numthreads(1, 1, 1)]
[shader("compute")]
void main() { Out[0] = single + several[1] + pushes[0].first + uint(rows[0][0] + image[uint2(0, 0)].x) + push.first + other.second + third; }
