// Functions and types of stages other than compute and nodes. Files are shared between stages, so functions that use
// these are checked. It is an error if a node or a compute shader reaches one. The operation names the stages.

// ---- pixel

template<typename T> [[wgc::op("stage.pixel")]] [[wgc::on("any_float")]] void clip(T x);
template<typename T> [[wgc::op("stage.pixel")]] [[wgc::on("number")]] T EvaluateAttributeAtSample(T value, uint sampleIndex);
template<typename T> [[wgc::op("stage.pixel")]] [[wgc::on("number")]] T EvaluateAttributeCentroid(T value);
template<typename T> [[wgc::op("stage.pixel")]] [[wgc::on("number")]] T EvaluateAttributeSnapped(T value, int2 offset);
template<typename T> [[wgc::op("stage.pixel")]] [[wgc::on("number")]] T GetAttributeAtVertex(T value, uint vertex);
[[wgc::op("stage.pixel")]] uint GetRenderTargetSampleCount();
[[wgc::op("stage.pixel")]] float2 GetRenderTargetSamplePosition(int index);

// Textures that store the levels that a sampler would read. `T` selects the contents: the smallest level of each
// region, or the used levels. In Direct3D, all stages may write them with a given level or given gradients.

struct SAMPLER_FEEDBACK_MIN_MIP
{
};

struct SAMPLER_FEEDBACK_MIP_REGION_USED
{
};

template<typename T> struct [[wgc::builtin("feedback_texture")]] FeedbackTexture2D
{
    template<typename U> [[wgc::op("stage.pixel")]] void WriteSamplerFeedback(Texture2D<U> texture, SamplerState s, float2 x, [[wgc::optional]] float least);
    template<typename U> [[wgc::op("stage.pixel")]] void WriteSamplerFeedbackBias(Texture2D<U> texture, SamplerState s, float2 x, float bias, [[wgc::optional]] float least);
    template<typename U> [[wgc::op("lacking.feedback")]] void WriteSamplerFeedbackGrad(Texture2D<U> texture, SamplerState s, float2 x, float2 along_x, float2 along_y, [[wgc::optional]] float least);
    template<typename U> [[wgc::op("lacking.feedback")]] void WriteSamplerFeedbackLevel(Texture2D<U> texture, SamplerState s, float2 x, float level);
};

template<typename T> struct [[wgc::builtin("feedback_texture")]] FeedbackTexture2DArray
{
    template<typename U> [[wgc::op("stage.pixel")]] void WriteSamplerFeedback(Texture2DArray<U> texture, SamplerState s, float3 x, [[wgc::optional]] float least);
    template<typename U> [[wgc::op("stage.pixel")]] void WriteSamplerFeedbackBias(Texture2DArray<U> texture, SamplerState s, float3 x, float bias, [[wgc::optional]] float least);
    template<typename U> [[wgc::op("lacking.feedback")]] void WriteSamplerFeedbackGrad(Texture2DArray<U> texture, SamplerState s, float3 x, float2 along_x, float2 along_y, [[wgc::optional]] float least);
    template<typename U> [[wgc::op("lacking.feedback")]] void WriteSamplerFeedbackLevel(Texture2DArray<U> texture, SamplerState s, float3 x, float level);
};

// The output of an earlier subpass at the same position.

template<typename T = float4> struct [[wgc::builtin("subpass_input")]] SubpassInput
{
    [[wgc::op("stage.pixel")]] T SubpassLoad();
};

template<typename T = float4> struct [[wgc::builtin("subpass_input")]] SubpassInputMS
{
    [[wgc::op("stage.pixel")]] T SubpassLoad(int sampleIndex);
};

// ---- pixel: memory that overlapping fragments access in order

template<typename T = float4> struct [[wgc::builtin("rasterizer_ordered")]] RasterizerOrderedBuffer
{
    [[wgc::op("stage.pixel")]] [[wgc::ref]] T operator[](uint position);
    [[wgc::op("stage.pixel")]] T Load(int position, [[wgc::optional]] out uint status);
    [[wgc::op("stage.pixel")]] void GetDimensions(out uint count);
};

template<typename T = float4> struct [[wgc::builtin("rasterizer_ordered")]] RasterizerOrderedTexture1D
{
    [[wgc::op("stage.pixel")]] [[wgc::ref]] T operator[](uint position);
    [[wgc::op("stage.pixel")]] T Load(int position, [[wgc::optional]] out uint status);
    [[wgc::op("stage.pixel")]] void GetDimensions(out uint width);
};

template<typename T = float4> struct [[wgc::builtin("rasterizer_ordered")]] RasterizerOrderedTexture1DArray
{
    [[wgc::op("stage.pixel")]] [[wgc::ref]] T operator[](uint2 position);
    [[wgc::op("stage.pixel")]] T Load(int2 position, [[wgc::optional]] out uint status);
    [[wgc::op("stage.pixel")]] void GetDimensions(out uint width, out uint elements);
};

template<typename T = float4> struct [[wgc::builtin("rasterizer_ordered")]] RasterizerOrderedTexture2D
{
    [[wgc::op("stage.pixel")]] [[wgc::ref]] T operator[](uint2 position);
    [[wgc::op("stage.pixel")]] T Load(int2 position, [[wgc::optional]] out uint status);
    [[wgc::op("stage.pixel")]] void GetDimensions(out uint width, out uint height);
};

template<typename T = float4> struct [[wgc::builtin("rasterizer_ordered")]] RasterizerOrderedTexture2DArray
{
    [[wgc::op("stage.pixel")]] [[wgc::ref]] T operator[](uint3 position);
    [[wgc::op("stage.pixel")]] T Load(int3 position, [[wgc::optional]] out uint status);
    [[wgc::op("stage.pixel")]] void GetDimensions(out uint width, out uint height, out uint elements);
};

template<typename T = float4> struct [[wgc::builtin("rasterizer_ordered")]] RasterizerOrderedTexture3D
{
    [[wgc::op("stage.pixel")]] [[wgc::ref]] T operator[](uint3 position);
    [[wgc::op("stage.pixel")]] T Load(int3 position, [[wgc::optional]] out uint status);
    [[wgc::op("stage.pixel")]] void GetDimensions(out uint width, out uint height, out uint depth);
};

template<typename T> struct [[wgc::builtin("rasterizer_ordered")]] RasterizerOrderedStructuredBuffer
{
    [[wgc::op("stage.pixel")]] [[wgc::ref]] T operator[](uint index);
    [[wgc::op("stage.pixel")]] T Load(uint index, [[wgc::optional]] out uint status);
    [[wgc::op("stage.pixel")]] void GetDimensions(out uint count, out uint stride);
    [[wgc::op("stage.pixel")]] uint IncrementCounter();
    [[wgc::op("stage.pixel")]] uint DecrementCounter();
};

struct [[wgc::builtin("rasterizer_ordered")]] RasterizerOrderedByteAddressBuffer
{
    [[wgc::op("stage.pixel")]] uint Load(uint offset, [[wgc::optional]] out uint status);
    [[wgc::op("stage.pixel")]] uint2 Load2(uint offset, [[wgc::optional]] out uint status);
    [[wgc::op("stage.pixel")]] uint3 Load3(uint offset, [[wgc::optional]] out uint status);
    [[wgc::op("stage.pixel")]] uint4 Load4(uint offset, [[wgc::optional]] out uint status);
    template<typename T> [[wgc::op("stage.pixel")]] T Load(uint offset, [[wgc::optional]] out uint status);
    [[wgc::op("stage.pixel")]] void Store(uint offset, uint value);
    [[wgc::op("stage.pixel")]] void Store2(uint offset, uint2 value);
    [[wgc::op("stage.pixel")]] void Store3(uint offset, uint3 value);
    [[wgc::op("stage.pixel")]] void Store4(uint offset, uint4 value);
    template<typename T> [[wgc::op("stage.pixel")]] void Store(uint offset, T value);
    [[wgc::op("stage.pixel")]] void GetDimensions(out uint bytes);
    [[wgc::op("stage.pixel")]] void InterlockedAdd(uint offset, uint value);
    [[wgc::op("stage.pixel")]] void InterlockedAdd(uint offset, uint value, out uint original);
    [[wgc::op("stage.pixel")]] void InterlockedMin(uint offset, uint value);
    [[wgc::op("stage.pixel")]] void InterlockedMin(uint offset, int value);
    [[wgc::op("stage.pixel")]] void InterlockedMin(uint offset, int value, out uint original);
    [[wgc::op("stage.pixel")]] void InterlockedMin(uint offset, uint value, out uint original);
    [[wgc::op("stage.pixel")]] void InterlockedMin(uint offset, float value);
    [[wgc::op("stage.pixel")]] void InterlockedMin(uint offset, float value, out uint original);
    [[wgc::op("stage.pixel")]] void InterlockedMax(uint offset, uint value);
    [[wgc::op("stage.pixel")]] void InterlockedMax(uint offset, int value);
    [[wgc::op("stage.pixel")]] void InterlockedMax(uint offset, int value, out uint original);
    [[wgc::op("stage.pixel")]] void InterlockedMax(uint offset, uint value, out uint original);
    [[wgc::op("stage.pixel")]] void InterlockedMax(uint offset, float value);
    [[wgc::op("stage.pixel")]] void InterlockedMax(uint offset, float value, out uint original);
    [[wgc::op("stage.pixel")]] void InterlockedAnd(uint offset, uint value);
    [[wgc::op("stage.pixel")]] void InterlockedAnd(uint offset, uint value, out uint original);
    [[wgc::op("stage.pixel")]] void InterlockedOr(uint offset, uint value);
    [[wgc::op("stage.pixel")]] void InterlockedOr(uint offset, uint value, out uint original);
    [[wgc::op("stage.pixel")]] void InterlockedXor(uint offset, uint value);
    [[wgc::op("stage.pixel")]] void InterlockedXor(uint offset, uint value, out uint original);
    [[wgc::op("stage.pixel")]] void InterlockedExchange(uint offset, uint value, out uint original);
    [[wgc::op("stage.pixel")]] void InterlockedCompareExchange(uint offset, uint compare, uint value, out uint original);
    [[wgc::op("stage.pixel")]] void InterlockedCompareStore(uint offset, uint compare, uint value);
    [[wgc::op("stage.pixel")]] void InterlockedExchangeFloat(uint offset, float value, out float original);
    [[wgc::op("stage.pixel")]] void InterlockedCompareExchangeFloatBitwise(uint offset, float compare, float value, out float original);
    [[wgc::op("stage.pixel")]] void InterlockedCompareStoreFloatBitwise(uint offset, float compare, float value);
    [[wgc::op("stage.pixel")]] void InterlockedAdd64(uint offset, uint64_t value);
    [[wgc::op("stage.pixel")]] void InterlockedAdd64(uint offset, uint64_t value, out uint64_t original);
    [[wgc::op("stage.pixel")]] void InterlockedMin64(uint offset, uint64_t value);
    [[wgc::op("stage.pixel")]] void InterlockedMin64(uint offset, uint64_t value, out uint64_t original);
    [[wgc::op("stage.pixel")]] void InterlockedMin64(uint offset, int64_t value);
    [[wgc::op("stage.pixel")]] void InterlockedMin64(uint offset, int64_t value, out uint64_t original);
    [[wgc::op("stage.pixel")]] void InterlockedMax64(uint offset, uint64_t value);
    [[wgc::op("stage.pixel")]] void InterlockedMax64(uint offset, uint64_t value, out uint64_t original);
    [[wgc::op("stage.pixel")]] void InterlockedMax64(uint offset, int64_t value);
    [[wgc::op("stage.pixel")]] void InterlockedMax64(uint offset, int64_t value, out uint64_t original);
    [[wgc::op("stage.pixel")]] void InterlockedAnd64(uint offset, uint64_t value);
    [[wgc::op("stage.pixel")]] void InterlockedAnd64(uint offset, uint64_t value, out uint64_t original);
    [[wgc::op("stage.pixel")]] void InterlockedOr64(uint offset, uint64_t value);
    [[wgc::op("stage.pixel")]] void InterlockedOr64(uint offset, uint64_t value, out uint64_t original);
    [[wgc::op("stage.pixel")]] void InterlockedXor64(uint offset, uint64_t value);
    [[wgc::op("stage.pixel")]] void InterlockedXor64(uint offset, uint64_t value, out uint64_t original);
    [[wgc::op("stage.pixel")]] void InterlockedExchange64(uint offset, uint64_t value, out uint64_t original);
    [[wgc::op("stage.pixel")]] void InterlockedCompareExchange64(uint offset, uint64_t compare, uint64_t value, out uint64_t original);
    [[wgc::op("stage.pixel")]] void InterlockedCompareStore64(uint offset, uint64_t compare, uint64_t value);
};

// ---- geometry and tessellation

template<typename T> struct PointStream
{
    [[wgc::op("stage.geometry")]] void Append(T vertex);
    [[wgc::op("stage.geometry")]] void RestartStrip();
};

template<typename T> struct LineStream
{
    [[wgc::op("stage.geometry")]] void Append(T vertex);
    [[wgc::op("stage.geometry")]] void RestartStrip();
};

template<typename T> struct TriangleStream
{
    [[wgc::op("stage.geometry")]] void Append(T vertex);
    [[wgc::op("stage.geometry")]] void RestartStrip();
};

template<typename T, int N> struct InputPatch
{
    uint Length;
    [[wgc::op("stage.patch")]] T operator[](uint index);
};

template<typename T, int N> struct OutputPatch
{
    uint Length;
    [[wgc::op("stage.patch")]] T operator[](uint index);
};

[[wgc::op("stage.hull")]] void Process2DQuadTessFactorsAvg(float4 edges, float2 scale, out float4 rounded, out float2 roundedInside, out float2 inside);
[[wgc::op("stage.hull")]] void Process2DQuadTessFactorsMax(float4 edges, float2 scale, out float4 rounded, out float2 roundedInside, out float2 inside);
[[wgc::op("stage.hull")]] void Process2DQuadTessFactorsMin(float4 edges, float2 scale, out float4 rounded, out float2 roundedInside, out float2 inside);
[[wgc::op("stage.hull")]] void ProcessIsolineTessFactors(float detail, float density, out float roundedDetail, out float roundedDensity);
[[wgc::op("stage.hull")]] void ProcessQuadTessFactorsAvg(float4 edges, float scale, out float4 rounded, out float2 roundedInside, out float2 inside);
[[wgc::op("stage.hull")]] void ProcessQuadTessFactorsMax(float4 edges, float scale, out float4 rounded, out float2 roundedInside, out float2 inside);
[[wgc::op("stage.hull")]] void ProcessQuadTessFactorsMin(float4 edges, float scale, out float4 rounded, out float2 roundedInside, out float2 inside);
[[wgc::op("stage.hull")]] void ProcessTriTessFactorsAvg(float3 edges, float scale, out float3 rounded, out float roundedInside, out float inside);
[[wgc::op("stage.hull")]] void ProcessTriTessFactorsMax(float3 edges, float scale, out float3 rounded, out float roundedInside, out float inside);
[[wgc::op("stage.hull")]] void ProcessTriTessFactorsMin(float3 edges, float scale, out float3 rounded, out float roundedInside, out float inside);

// ---- mesh and amplification

[[wgc::op("mesh.counts")]] void SetMeshOutputCounts(uint vertices, uint primitives);
template<typename T> [[wgc::op("stage.amplification")]] void DispatchMesh(uint x, uint y, uint z, [[wgc::place]] T payload);

// ---- ray tracing

struct BuiltInTriangleIntersectionAttributes
{
    float2 barycentrics;
};

template<typename T> [[wgc::op("stage.ray_tracing")]] void TraceRay(RaytracingAccelerationStructure scene, uint flags, uint mask, uint contribution, uint multiplier, uint miss, RayDesc ray, [[wgc::place]] T payload);
template<typename T> [[wgc::op("stage.ray_tracing")]] void CallShader(uint index, [[wgc::place]] T parameter);
template<typename T> [[wgc::op("stage.ray_tracing")]] bool ReportHit(float distance, uint kind, [[wgc::place]] T attributes);
[[wgc::op("stage.ray_tracing")]] void AcceptHitAndEndSearch();
[[wgc::op("stage.ray_tracing")]] void IgnoreHit();
[[wgc::op("stage.ray_tracing")]] uint3 DispatchRaysIndex();
[[wgc::op("stage.ray_tracing")]] uint3 DispatchRaysDimensions();
[[wgc::op("stage.ray_tracing")]] uint GeometryIndex();
[[wgc::op("stage.ray_tracing")]] uint HitKind();
[[wgc::op("stage.ray_tracing")]] uint InstanceID();
[[wgc::op("stage.ray_tracing")]] uint InstanceIndex();
[[wgc::op("stage.ray_tracing")]] uint PrimitiveIndex();
[[wgc::op("stage.ray_tracing")]] uint RayFlags();
[[wgc::op("stage.ray_tracing")]] float RayTCurrent();
[[wgc::op("stage.ray_tracing")]] float RayTMin();
[[wgc::op("stage.ray_tracing")]] float3 ObjectRayDirection();
[[wgc::op("stage.ray_tracing")]] float3 ObjectRayOrigin();
[[wgc::op("stage.ray_tracing")]] float3 WorldRayDirection();
[[wgc::op("stage.ray_tracing")]] float3 WorldRayOrigin();
[[wgc::op("stage.ray_tracing")]] float3x4 ObjectToWorld();
[[wgc::op("stage.ray_tracing")]] float3x4 ObjectToWorld3x4();
[[wgc::op("stage.ray_tracing")]] float4x3 ObjectToWorld4x3();
[[wgc::op("stage.ray_tracing")]] float3x4 WorldToObject();
[[wgc::op("stage.ray_tracing")]] float3x4 WorldToObject3x4();
[[wgc::op("stage.ray_tracing")]] float4x3 WorldToObject4x3();

// ---- effects: Direct3D 9's textures with their samplers

struct sampler1D
{
};

struct sampler2D
{
};

struct sampler3D
{
};

struct samplerCUBE
{
};

[[wgc::op("stage.effects")]] float4 tex1D(sampler1D s, float x);
[[wgc::op("stage.effects")]] float4 tex1D(sampler1D s, float x, float along_x, float along_y);
[[wgc::op("stage.effects")]] float4 tex1Dbias(sampler1D s, float4 x);
[[wgc::op("stage.effects")]] float4 tex1Dgrad(sampler1D s, float x, float along_x, float along_y);
[[wgc::op("stage.effects")]] float4 tex1Dlod(sampler1D s, float4 x);
[[wgc::op("stage.effects")]] float4 tex1Dproj(sampler1D s, float4 x);
[[wgc::op("stage.effects")]] float4 tex2D(sampler2D s, float2 x);
[[wgc::op("stage.effects")]] float4 tex2D(sampler2D s, float2 x, float2 along_x, float2 along_y);
[[wgc::op("stage.effects")]] float4 tex2Dbias(sampler2D s, float4 x);
[[wgc::op("stage.effects")]] float4 tex2Dgrad(sampler2D s, float2 x, float2 along_x, float2 along_y);
[[wgc::op("stage.effects")]] float4 tex2Dlod(sampler2D s, float4 x);
[[wgc::op("stage.effects")]] float4 tex2Dproj(sampler2D s, float4 x);
[[wgc::op("stage.effects")]] float4 tex3D(sampler3D s, float3 x);
[[wgc::op("stage.effects")]] float4 tex3D(sampler3D s, float3 x, float3 along_x, float3 along_y);
[[wgc::op("stage.effects")]] float4 tex3Dbias(sampler3D s, float4 x);
[[wgc::op("stage.effects")]] float4 tex3Dgrad(sampler3D s, float3 x, float3 along_x, float3 along_y);
[[wgc::op("stage.effects")]] float4 tex3Dlod(sampler3D s, float4 x);
[[wgc::op("stage.effects")]] float4 tex3Dproj(sampler3D s, float4 x);
[[wgc::op("stage.effects")]] float4 texCUBE(samplerCUBE s, float3 x);
[[wgc::op("stage.effects")]] float4 texCUBE(samplerCUBE s, float3 x, float3 along_x, float3 along_y);
[[wgc::op("stage.effects")]] float4 texCUBEbias(samplerCUBE s, float4 x);
[[wgc::op("stage.effects")]] float4 texCUBEgrad(samplerCUBE s, float3 x, float3 along_x, float3 along_y);
[[wgc::op("stage.effects")]] float4 texCUBElod(samplerCUBE s, float4 x);
[[wgc::op("stage.effects")]] float4 texCUBEproj(samplerCUBE s, float4 x);
