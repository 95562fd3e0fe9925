// Compute shaders of a library with nodes are no part of its graph, and are checked.

RWStructuredBuffer<uint> Out : register(u0);
RWStructuredBuffer<float> Slopes : register(u1);
struct R { uint v; };

[Shader("node")] [NodeLaunch("thread")]
void Only(ThreadNodeInputRecord<R> input) { Out[0] = input.Get().v; }

[Shader("compute")] [NumThreads(8, 1, 1)]
void NoSemantic(uint x) { Out[0] = x; } //~ ERROR WG0380

[Shader("compute")] [NumThreads(8, 1, 1)]
void OtherStage(uint x : SV_VertexID) { Out[0] = x; } //~ ERROR WG0314

[Shader("compute")]
void NoThreads() { Slopes[0] = ddx(Slopes[1]); } //~ ERROR WG0308

[Shader("compute")] [NumThreads(1025, 1, 1)]
void TooMany() { } //~ ERROR WG0309

[Shader("compute")] [NumThreads(8, 1, 1)]
uint Returns() { return 1; } //~ ERROR WG0302

[Shader("compute")] [NumThreads(8, 1, 1)]
void Right(uint3 thread : SV_DispatchThreadID) { Out[thread.x] = thread.y; }
