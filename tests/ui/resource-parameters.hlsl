// Resources are no parameters of entry points: one message for each, which names the remedy.
struct Views { Texture2D<float4> image; SamplerState how; };

[Shader("node")] [NodeLaunch("thread")]
void Buffer(RWBuffer<int> output) { output[0] = 0; } //~ ERROR WG0380
[Shader("node")] [NodeLaunch("thread")]
void Structured(StructuredBuffer<uint> input, RWByteAddressBuffer output) { output.Store(0, input[0]); } //~ ERROR WG0380 WG0380
[Shader("node")] [NodeLaunch("thread")]
void Image(Texture2D<float4> image, SamplerState how) { float4 x = image.SampleLevel(how, 0, 0); } //~ ERROR WG0380 WG0380
[Shader("node")] [NodeLaunch("thread")]
void Array(RWBuffer<int> outputs[2]) { outputs[1][0] = 0; } //~ ERROR WG0380
[Shader("node")] [NodeLaunch("thread")]
void Inside(Views views) { float4 x = views.image.SampleLevel(views.how, 0, 0); } //~ ERROR WG0380
[Shader("node")] [NodeLaunch("thread")]
void Named(RWBuffer<uint> output : SV_GroupIndex) { output[0] = 0; } //~ ERROR WG0314
