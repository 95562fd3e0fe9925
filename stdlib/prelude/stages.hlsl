// What other stages than compute and nodes have. Files are shared between stages: functions that use these are checked,
// and refused where a node or a compute shader reaches them.

// ---- pixel

template<typename T> [[wgc::op("stage.other")]] [[wgc::on("any_float")]] void clip(T x);
template<typename T> [[wgc::op("stage.other")]] [[wgc::on("number")]] T EvaluateAttributeAtSample(T value, uint sampleIndex);
template<typename T> [[wgc::op("stage.other")]] [[wgc::on("number")]] T EvaluateAttributeCentroid(T value);
template<typename T> [[wgc::op("stage.other")]] [[wgc::on("number")]] T EvaluateAttributeSnapped(T value, int2 offset);
template<typename T> [[wgc::op("stage.other")]] [[wgc::on("number")]] T GetAttributeAtVertex(T value, uint vertex);
[[wgc::op("stage.other")]] uint GetRenderTargetSampleCount();
[[wgc::op("stage.other")]] float2 GetRenderTargetSamplePosition(int index);

// ---- geometry and tessellation

template<typename T> struct PointStream
{
    [[wgc::op("stage.other")]] void Append(T vertex);
    [[wgc::op("stage.other")]] void RestartStrip();
};

template<typename T> struct LineStream
{
    [[wgc::op("stage.other")]] void Append(T vertex);
    [[wgc::op("stage.other")]] void RestartStrip();
};

template<typename T> struct TriangleStream
{
    [[wgc::op("stage.other")]] void Append(T vertex);
    [[wgc::op("stage.other")]] void RestartStrip();
};

template<typename T, int N> struct InputPatch
{
    uint Length;
    [[wgc::op("stage.other")]] T operator[](uint index);
};

template<typename T, int N> struct OutputPatch
{
    uint Length;
    [[wgc::op("stage.other")]] T operator[](uint index);
};

[[wgc::op("stage.other")]] void Process2DQuadTessFactorsAvg(float4 edges, float2 scale, out float4 rounded, out float2 roundedInside, out float2 inside);
[[wgc::op("stage.other")]] void Process2DQuadTessFactorsMax(float4 edges, float2 scale, out float4 rounded, out float2 roundedInside, out float2 inside);
[[wgc::op("stage.other")]] void Process2DQuadTessFactorsMin(float4 edges, float2 scale, out float4 rounded, out float2 roundedInside, out float2 inside);
[[wgc::op("stage.other")]] void ProcessIsolineTessFactors(float detail, float density, out float roundedDetail, out float roundedDensity);
[[wgc::op("stage.other")]] void ProcessQuadTessFactorsAvg(float4 edges, float scale, out float4 rounded, out float2 roundedInside, out float2 inside);
[[wgc::op("stage.other")]] void ProcessQuadTessFactorsMax(float4 edges, float scale, out float4 rounded, out float2 roundedInside, out float2 inside);
[[wgc::op("stage.other")]] void ProcessQuadTessFactorsMin(float4 edges, float scale, out float4 rounded, out float2 roundedInside, out float2 inside);
[[wgc::op("stage.other")]] void ProcessTriTessFactorsAvg(float3 edges, float scale, out float3 rounded, out float roundedInside, out float inside);
[[wgc::op("stage.other")]] void ProcessTriTessFactorsMax(float3 edges, float scale, out float3 rounded, out float roundedInside, out float inside);
[[wgc::op("stage.other")]] void ProcessTriTessFactorsMin(float3 edges, float scale, out float3 rounded, out float roundedInside, out float inside);

// ---- mesh

[[wgc::op("stage.other")]] void SetMeshOutputCounts(uint vertices, uint primitives);
template<typename T> [[wgc::op("stage.other")]] void DispatchMesh(uint x, uint y, uint z, [[wgc::place]] T payload);

// ---- ray tracing

struct BuiltInTriangleIntersectionAttributes
{
    float2 barycentrics;
};

template<typename T> [[wgc::op("stage.other")]] void TraceRay(RaytracingAccelerationStructure scene, uint flags, uint mask, uint contribution, uint multiplier, uint miss, RayDesc ray, [[wgc::place]] T payload);
template<typename T> [[wgc::op("stage.other")]] void CallShader(uint index, [[wgc::place]] T parameter);
template<typename T> [[wgc::op("stage.other")]] bool ReportHit(float distance, uint kind, [[wgc::place]] T attributes);
[[wgc::op("stage.other")]] void AcceptHitAndEndSearch();
[[wgc::op("stage.other")]] void IgnoreHit();
[[wgc::op("stage.other")]] uint3 DispatchRaysIndex();
[[wgc::op("stage.other")]] uint3 DispatchRaysDimensions();
[[wgc::op("stage.other")]] uint GeometryIndex();
[[wgc::op("stage.other")]] uint HitKind();
[[wgc::op("stage.other")]] uint InstanceID();
[[wgc::op("stage.other")]] uint InstanceIndex();
[[wgc::op("stage.other")]] uint PrimitiveIndex();
[[wgc::op("stage.other")]] uint RayFlags();
[[wgc::op("stage.other")]] float RayTCurrent();
[[wgc::op("stage.other")]] float RayTMin();
[[wgc::op("stage.other")]] float3 ObjectRayDirection();
[[wgc::op("stage.other")]] float3 ObjectRayOrigin();
[[wgc::op("stage.other")]] float3 WorldRayDirection();
[[wgc::op("stage.other")]] float3 WorldRayOrigin();
[[wgc::op("stage.other")]] float3x4 ObjectToWorld();
[[wgc::op("stage.other")]] float3x4 ObjectToWorld3x4();
[[wgc::op("stage.other")]] float4x3 ObjectToWorld4x3();
[[wgc::op("stage.other")]] float3x4 WorldToObject();
[[wgc::op("stage.other")]] float3x4 WorldToObject3x4();
[[wgc::op("stage.other")]] float4x3 WorldToObject4x3();
