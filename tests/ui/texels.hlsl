//! library
// Offsets outside of an instruction's range, and samples of texels that a filter or comparison cannot use.
Texture2D<float4> Sky;
Texture2D<uint> Ids;
SamplerState Smooth;
SamplerComparisonState Nearer;

float4 Far(float2 at) { return Sky.SampleLevel(Smooth, at, 0, int2(8, 0)); } //~ ERROR WG0227
float4 Below(float2 at) { return Sky.SampleLevel(Smooth, at, 0, int2(0, -9)); } //~ ERROR WG0227
float Lit(float2 at) { return Ids.SampleCmpLevelZero(Nearer, at, 0.5); } //~ ERROR WG0228

RWStructuredBuffer<float4> Out;
[Shader("node")] [NodeLaunch("thread")]
void Main() { Out[0] = Far(0) + Below(0) + Lit(0); }
