// Root signatures: their language, and their statements about the program.

GlobalRootSignature Global = { "UAV(u0), "
                               "SRV(t0, visibility = SHADER_VISIBILITY_ALL)" };
LocalRootSignature Local = { "RootConstants(num32BitConstants = 4, b1)" };
SubobjectToExportsAssociation Good = { "Local", "Node; Other" };
SubobjectToExportsAssociation Lost = { "Locals", //~ ERROR WG0118
                                       "Node;Missing" }; //~ ERROR WG0118
LocalRootSignature Twice = { "CBV(b0), "
                             "RootConstants(num32BitConstants = 1, b0)" }; //~ ERROR WG0118
LocalRootSignature Misspelt = { "DescriptorTabel(SRV(t1))" }; //~ ERROR WG0118
LocalRootSignature Two = { "", "" }; //~ ERROR WG0118

RWStructuredBuffer<uint> Out : register(u0);

[Shader("node")]
[NodeLaunch("thread")]
void Node() { Out[0] = 1; }

[Shader("node")]
[NodeLaunch("thread")]
[RootSignature("UAV(u0), UAV(u1")] //~ ERROR WG0118
void Other() { Out[1] = 1; }

[RootSignature(5)] //~ ERROR WG0121
void Plain() { }

// Declarations of ray tracing next to them do not matter here.
StateObjectConfig Config = { STATE_OBJECT_FLAGS_ALLOW_LOCAL_DEPENDENCIES_ON_EXTERNAL_DEFINITONS };
RaytracingShaderConfig Shaders = { 16, 8 };
RaytracingPipelineConfig1 Pipeline = { 1, RAYTRACING_PIPELINE_FLAG_SKIP_TRIANGLES };
TriangleHitGroup Hit = { "AnyHit", "ClosestHit" };
ProceduralPrimitiveHitGroup Procedural = { "AnyHit", "ClosestHit", "Intersection" };
