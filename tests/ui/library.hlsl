//! library
// Checks of the whole graph are off; those of one node stay, and a missing budget is a warning.
struct R { uint x; };
[Shader("node")] [NodeLaunch("thread")]
void elsewhere([MaxRecords(1)] NodeOutput<R> another_library, NodeOutput<R> no_budget) { } //~ WARN WG0317
[Shader("node")] [NodeLaunch("thread")]
void unsized([MaxRecords(1)] NodeOutputArray<R> another_library) { } //~ WARN WG0320
[Shader("node")] [NodeLaunch("thread")]
void grid(uint x : SV_GroupIndex) { } //~ ERROR WG0314
[Shader("node")] [NodeLaunch("thread")]
void eleven([MaxRecords(11)] NodeOutput<R> another_library) { } //~ WARN WG0324
RWStructuredBuffer<float> Out;
// Mistakes that DXC looks for only if nothing else is wrong are not reported here.
[Shader("node")] [NodeLaunch("thread")]
void group_waves() { Out[0] = GetGroupWaveIndex(); }
struct Sized { uint3 grid : SV_DispatchGrid; };
[Shader("node")] [NodeMaxDispatchGrid(4, 4, 1)] [NumThreads(8, 1, 1)]
void writes(RWDispatchNodeInputRecord<Sized> input) { input.Get().grid.x = 1; } //~ WARN WG0382
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
