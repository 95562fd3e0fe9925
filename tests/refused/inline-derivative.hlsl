// Inline SPIR-V that compares the invocations of a quad. The workgroup has no execution mode for quads.
RWStructuredBuffer<float> Out;
[[vk::ext_instruction(207)]] float Slope(float x);

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(4, 4, 1)]
void Main(uint3 id : SV_DispatchThreadID) { Out[id.x] = Slope(id.x); } //~ emulated amdx WG0504
