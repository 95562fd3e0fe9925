//! library
// Rows about the whole graph are off; those about one node stay, a missing budget being a warning.
struct R { uint x; };
[Shader("node")] [NodeLaunch("thread")]
void elsewhere([MaxRecords(1)] NodeOutput<R> another_library, NodeOutput<R> no_budget) { } //~ WARN WG0317
[Shader("node")] [NodeLaunch("thread")]
void grid(uint x : SV_GroupIndex) { } //~ ERROR WG0314
[Shader("node")] [NodeLaunch("thread")]
void eleven([MaxRecords(11)] NodeOutput<R> another_library) { } //~ WARN WG0324
Texture2D<float> T;
SamplerState S;
RWStructuredBuffer<float> Out;
[Shader("node")] [NodeLaunch("thread")]
void quads() { Out[0] = T.Sample(S, float2(0, 0)); } //~ WARN WG0336
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(3, 2, 1)]
void three(uint x : SV_GroupIndex) { Out[1] = ddx_fine(x * 0.5); } //~ WARN WG0336
[Shader("node")] [NodeLaunch("thread")]
void group_of_one([MaxRecords(1)] NodeOutput<R> another_library)
{
    GroupNodeOutputRecords<R> r = another_library.GetGroupNodeOutputRecords(1); //~ WARN WG0226
    r.OutputComplete();
}

// Another library may have the body.
uint defined_elsewhere(uint x);
RWStructuredBuffer<uint> Numbers;
[Shader("node")] [NodeLaunch("thread")]
void caller() { Numbers[0] = defined_elsewhere(1); } //~ WARN WG0224

// Overloads of one name: a runtime would take one of them.
[Shader("node")] [NodeLaunch("thread")]
void overloaded(ThreadNodeInputRecord<R> input) { }
[Shader("node")] [NodeLaunch("thread")]
void overloaded(RWThreadNodeInputRecord<R> input) { } //~ WARN WG0402
