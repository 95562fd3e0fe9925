//! library
// In a library, code that shaders reach is checked only if nothing else is wrong with it: as in DXC.
struct R { uint x; };
Texture2D<float> T;
SamplerState S;
RWStructuredBuffer<float> Out;

[Shader("node")] [NodeLaunch("thread")]
void quads() { Out[0] = T.Sample(S, float2(0, 0)); } //~ ERROR WG0336

float slope(uint x) { return ddx_fine(x * 0.5) + ddy(x * 0.5); } //~ ERROR WG0336 WG0336

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(3, 2, 1)]
void three(uint x : SV_GroupIndex) { Out[1] = slope(x); }
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(4, 2, 1)]
void eight(uint x : SV_GroupIndex) { Out[1] = slope(x); }

[Shader("node")] [NodeLaunch("thread")]
void level() { Out[0] = T.CalculateLevelOfDetail(S, 0.5); } //~ ERROR WG0336
[Shader("vertex")]
float4 corners(uint x : SV_VertexID) : SV_Position { return T.CalculateLevelOfDetail(S, 0.5); } //~ ERROR WG0336
[Shader("pixel")]
float4 colour() : SV_Target { return slope(1); }

// A barrier is checked for the shaders that reach it.
void meet() { Barrier(UAV_MEMORY, GROUP_SYNC); } //~ ERROR WG0226
export void met_by_others() { Barrier(UAV_MEMORY, GROUP_SYNC); }
void order() { Barrier(NODE_INPUT_MEMORY, DEVICE_SCOPE); } //~ WARN WG0226
template<typename T> void both(T x) { meet(); order(); }

[Shader("node")] [NodeLaunch("thread")]
void alone() { both(1); }
[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(8, 1, 1)]
void together([MaxRecords(4)] RWGroupNodeInputRecords<R> input) {
    both(2);
    Barrier(input, DEVICE_SCOPE); //~ ERROR WG0381
}
[Shader("compute")] [NumThreads(8, 1, 1)]
void no_node() {
    meet();
    Barrier(NODE_OUTPUT_MEMORY, 0); //~ ERROR WG0226
    Out[2] = GetRemainingRecursionLevels(); //~ ERROR WG0226
}

[Shader("node")] [NodeLaunch("thread")]
void nobody(uint x) { } //~ ERROR WG0380
