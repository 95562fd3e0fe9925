//! library
// The largest offsets of an instruction, and a comparison of floats.
Texture2D<float4> Sky;
Texture2D<float> Depths;
SamplerState Smooth;
SamplerComparisonState Nearer;

float4 Far(float2 at) { return Sky.SampleLevel(Smooth, at, 0, int2(7, 0)); }
float4 Below(float2 at) { return Sky.SampleLevel(Smooth, at, 0, int2(0, -8)); }
float Lit(float2 at) { return Depths.SampleCmpLevelZero(Nearer, at, 0.5); }

RWStructuredBuffer<float4> Out;
[Shader("node")] [NodeLaunch("thread")]
void Main() { Out[0] = Far(0) + Below(0) + Lit(0); }
