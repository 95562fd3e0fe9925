// One file shared by a graph and by the stages of a renderer.
struct Vertex { float3 position : POSITION; float3 normal : NORMAL; float2 uv : TEXCOORD0; };
struct Varying { float4 position : SV_Position; nointerpolation uint id : ID; centroid float2 uv : TEXCOORD0; linear noperspective float3 normal : NORMAL; sample float w : W; };
cbuffer Frame : register(b0) { float4x4 viewProjection; float4 sun; };
Texture2D<float4> albedo : register(t0);
SamplerState linearSampler : register(s0);
RWStructuredBuffer<uint> counts : register(u0);

Varying transform(Vertex v, uint id) {
    Varying o;
    o.position = mul(viewProjection, float4(v.position, 1));
    o.id = id; o.uv = v.uv; o.normal = v.normal; o.w = 1;
    return o;
}
[shader("vertex")]
Varying mainVS(Vertex v, uint vertex : SV_VertexID, uint inst : SV_InstanceID) { return transform(v, inst); }

[earlydepthstencil]
float4 mainPS(Varying v, bool front : SV_IsFrontFace, out float depth : SV_Depth) : SV_Target0 {
    float4 c = albedo.Sample(linearSampler, v.uv) * saturate(dot(v.normal, sun.xyz));
    float2 d = ddx(v.uv) + ddy(v.uv) + fwidth(v.uv);
    float e = EvaluateAttributeAtSample(v.w, 0);
    clip(c.a - 0.5);
    if (c.a < 0.1) discard;
    depth = 0.5;
    return c + d.xyxy + albedo.CalculateLevelOfDetail(linearSampler, v.uv) + e;
}
[shader("geometry")]
[maxvertexcount(3)]
void mainGS(triangle Varying input[3], inout TriangleStream<Varying> stream, inout PointStream<Varying> ps, uint prim : SV_PrimitiveID) {
    for (uint i = 0; i < 3; i++) stream.Append(input[i]);
    stream.RestartStrip();
}
struct PatchConstants { float edges[3] : SV_TessFactor; float inside : SV_InsideTessFactor; };
PatchConstants constants(InputPatch<Vertex, 3> patch) { PatchConstants c; c.edges[0] = c.edges[1] = c.edges[2] = 4; c.inside = patch[0].uv.x; return c; }
[shader("hull")]
[domain("tri")] [partitioning("fractional_odd")] [outputtopology("triangle_cw")] [outputcontrolpoints(3)] [patchconstantfunc("constants")]
Vertex mainHS(InputPatch<Vertex, 3> patch, uint i : SV_OutputControlPointID) { return patch[i]; }
[shader("domain")]
[domain("tri")]
Varying mainDS(PatchConstants c, float3 bary : SV_DomainLocation, const OutputPatch<Vertex, 3> patch) {
    Vertex v = patch[0];
    v.position = patch[0].position * bary.x + patch[1].position * bary.y + patch[2].position * bary.z;
    return transform(v, 0);
}
struct Payload { uint meshlets[32]; };
groupshared Payload shared_payload;
[shader("amplification")]
[numthreads(32, 1, 1)]
void mainAS(uint t : SV_GroupThreadID) { shared_payload.meshlets[t] = t; DispatchMesh(1, 1, 1, shared_payload); }
[shader("mesh")]
[outputtopology("triangle")]
[numthreads(32, 1, 1)]
void mainMS(uint t : SV_GroupThreadID, in payload Payload p, out vertices Varying verts[64], out indices uint3 tris[64], out primitives uint prims[64] : SV_PrimitiveID) {
    SetMeshOutputCounts(64, 64);
    Varying v = (Varying)0; verts[t] = v; tris[t] = uint3(0, 1, 2);
}
struct [raypayload] Hit { float3 color : read(caller) : write(closesthit, miss); float t : read(caller) : write(closesthit); };
RaytracingAccelerationStructure scene : register(t1);
[shader("raygeneration")]
void mainRG() {
    RayDesc ray; ray.Origin = 0; ray.TMin = 0.001; ray.Direction = float3(0, 0, 1); ray.TMax = 1e6;
    Hit hit; hit.color = 0;
    TraceRay(scene, RAY_FLAG_FORCE_OPAQUE, 0xff, 0, 1, 0, ray, hit);
    counts[DispatchRaysIndex().x] = asuint(hit.t);
}
[shader("closesthit")]
void mainCH(inout Hit hit, in BuiltInTriangleIntersectionAttributes a) { hit.t = RayTCurrent(); hit.color = float3(a.barycentrics, PrimitiveIndex()) + WorldRayOrigin() + ObjectToWorld3x4()[0].xyz; }
[shader("anyhit")]
void mainAH(inout Hit hit, in BuiltInTriangleIntersectionAttributes a) { if (a.barycentrics.x > 0.5) IgnoreHit(); else AcceptHitAndEndSearch(); }
[shader("miss")]
void mainMiss(inout Hit hit) { hit.color = WorldRayDirection(); }
[shader("intersection")]
void mainIS() { BuiltInTriangleIntersectionAttributes a; a.barycentrics = 0; ReportHit(1.0, HIT_KIND_TRIANGLE_FRONT_FACE, a); }
[shader("callable")]
void mainCall(inout Payload p) { CallShader(0, p); }

struct Item { uint n; };
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(8, 1, 1)]
void main(DispatchNodeInputRecord<Item> input, uint t : SV_GroupThreadID) { InterlockedAdd(counts[t], input.Get().n); }
