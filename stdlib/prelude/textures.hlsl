// Images and samplers: textures, their writable forms, and buffers of formatted texels.
//
// Types distinguish the arguments of sampling methods. Integers after the coordinate are offsets, a float after those
// is the minimum level, and an `out` argument is the residency status. `[[wgc::optional]]` ones may be omitted.

struct [[wgc::builtin("sampler")]] SamplerState
{
};

struct [[wgc::builtin("sampler_comparison")]] SamplerComparisonState
{
};

typedef SamplerState sampler;

SamplerState select(bool condition, SamplerState yes, SamplerState no) { return condition ? yes : no; }
SamplerComparisonState select(bool condition, SamplerComparisonState yes, SamplerComparisonState no) { return condition ? yes : no; }

[[wgc::op("image.resident")]] bool CheckAccessFullyMapped(uint status);

// ---- buffers of formatted texels

template<typename T = float4> struct [[wgc::builtin("buffer")]] Buffer
{
    [[wgc::op("image.texel")]] [[wgc::const_ref]] T operator[](uint index);
    [[wgc::op("image.load")]] T Load(int index, [[wgc::optional]] out uint status);
    [[wgc::op("image.size")]] void GetDimensions(out uint count);
};

template<typename T = float4> struct [[wgc::builtin("rw_buffer")]] RWBuffer
{
    [[wgc::op("image.texel")]] [[wgc::ref]] T operator[](uint index);
    [[wgc::op("image.load")]] T Load(int index, [[wgc::optional]] out uint status);
    [[wgc::op("image.size")]] void GetDimensions(out uint count);
};

// ---- writable textures

template<typename T = float4> struct [[wgc::builtin("rw_texture_1d")]] RWTexture1D
{
    [[wgc::op("image.texel")]] [[wgc::ref]] T operator[](uint position);
    [[wgc::op("image.load")]] T Load(int position, [[wgc::optional]] out uint status);
    [[wgc::op("image.size")]] void GetDimensions(out uint width);
};

template<typename T = float4> struct [[wgc::builtin("rw_texture_1d_array")]] RWTexture1DArray
{
    [[wgc::op("image.texel")]] [[wgc::ref]] T operator[](uint2 position);
    [[wgc::op("image.load")]] T Load(int2 position, [[wgc::optional]] out uint status);
    [[wgc::op("image.size")]] void GetDimensions(out uint width, out uint elements);
};

template<typename T = float4> struct [[wgc::builtin("rw_texture_2d")]] RWTexture2D
{
    [[wgc::op("image.texel")]] [[wgc::ref]] T operator[](uint2 position);
    [[wgc::op("image.load")]] T Load(int2 position, [[wgc::optional]] out uint status);
    [[wgc::op("image.size")]] void GetDimensions(out uint width, out uint height);
};

template<typename T = float4> struct [[wgc::builtin("rw_texture_2d_array")]] RWTexture2DArray
{
    [[wgc::op("image.texel")]] [[wgc::ref]] T operator[](uint3 position);
    [[wgc::op("image.load")]] T Load(int3 position, [[wgc::optional]] out uint status);
    [[wgc::op("image.size")]] void GetDimensions(out uint width, out uint height, out uint elements);
};

template<typename T = float4> struct [[wgc::builtin("rw_texture_3d")]] RWTexture3D
{
    [[wgc::op("image.texel")]] [[wgc::ref]] T operator[](uint3 position);
    [[wgc::op("image.load")]] T Load(int3 position, [[wgc::optional]] out uint status);
    [[wgc::op("image.size")]] void GetDimensions(out uint width, out uint height, out uint depth);
};

template<typename T = float4, int N = 0> struct [[wgc::builtin("rw_texture_2d_ms")]] RWTexture2DMS
{
    [[wgc::op("image.texel")]] [[wgc::ref]] T operator[](uint2 position);
    [[wgc::op("image.sample_texel")]] [[wgc::indexed]] [[wgc::ref]] T sample(uint index, uint2 position);
    [[wgc::op("image.load")]] T Load(int2 position, int index, [[wgc::optional]] out uint status);
    [[wgc::op("image.size_samples")]] void GetDimensions(out uint width, out uint height, out uint samples);
    [[wgc::op("image.sample_position")]] float2 GetSamplePosition(int index);
};

template<typename T = float4, int N = 0> struct [[wgc::builtin("rw_texture_2d_ms_array")]] RWTexture2DMSArray
{
    [[wgc::op("image.texel")]] [[wgc::ref]] T operator[](uint3 position);
    [[wgc::op("image.sample_texel")]] [[wgc::indexed]] [[wgc::ref]] T sample(uint index, uint3 position);
    [[wgc::op("image.load")]] T Load(int3 position, int index, [[wgc::optional]] out uint status);
    [[wgc::op("image.size_samples")]] void GetDimensions(out uint width, out uint height, out uint elements, out uint samples);
    [[wgc::op("image.sample_position")]] float2 GetSamplePosition(int index);
};

// ---- multisampled textures

template<typename T = float4, int N = 0> struct [[wgc::builtin("texture_2d_ms")]] Texture2DMS
{
    [[wgc::op("image.texel")]] [[wgc::const_ref]] T operator[](uint2 position);
    [[wgc::op("image.sample_texel")]] [[wgc::indexed]] [[wgc::const_ref]] T sample(uint index, uint2 position);
    [[wgc::op("image.load")]] T Load(int2 position, int index, [[wgc::optional]] int2 offset, [[wgc::optional]] out uint status);
    [[wgc::op("image.size_samples")]] void GetDimensions(out uint width, out uint height, out uint samples);
    [[wgc::op("image.sample_position")]] float2 GetSamplePosition(int index);
};

template<typename T = float4, int N = 0> struct [[wgc::builtin("texture_2d_ms_array")]] Texture2DMSArray
{
    [[wgc::op("image.texel")]] [[wgc::const_ref]] T operator[](uint3 position);
    [[wgc::op("image.sample_texel")]] [[wgc::indexed]] [[wgc::const_ref]] T sample(uint index, uint3 position);
    [[wgc::op("image.load")]] T Load(int3 position, int index, [[wgc::optional]] int2 offset, [[wgc::optional]] out uint status);
    [[wgc::op("image.size_samples")]] void GetDimensions(out uint width, out uint height, out uint elements, out uint samples);
    [[wgc::op("image.sample_position")]] float2 GetSamplePosition(int index);
};

// ---- textures with mip levels

template<typename T = float4> struct [[wgc::builtin("texture_1d")]] Texture1D
{
    [[wgc::op("image.texel")]] [[wgc::const_ref]] T operator[](uint position);
    [[wgc::op("image.mip_texel")]] [[wgc::indexed]] [[wgc::const_ref]] T mips(uint level, uint position);
    [[wgc::op("image.load")]] T Load(int2 position_and_level, [[wgc::optional]] int offset, [[wgc::optional]] out uint status);
    [[wgc::op("image.sample")]] T Sample(SamplerState s, float x, [[wgc::optional]] int offset, [[wgc::optional]] float least, [[wgc::optional]] out uint status);
    [[wgc::op("image.sample_bias")]] T SampleBias(SamplerState s, float x, float bias, [[wgc::optional]] int offset, [[wgc::optional]] float least, [[wgc::optional]] out uint status);
    [[wgc::op("image.sample_level")]] T SampleLevel(SamplerState s, float x, float level, [[wgc::optional]] int offset, [[wgc::optional]] out uint status);
    [[wgc::op("image.sample_grad")]] T SampleGrad(SamplerState s, float x, float along_x, float along_y, [[wgc::optional]] int offset, [[wgc::optional]] float least, [[wgc::optional]] out uint status);
    [[wgc::op("image.compare")]] float SampleCmp(SamplerComparisonState s, float x, float reference, [[wgc::optional]] int offset, [[wgc::optional]] float least, [[wgc::optional]] out uint status);
    [[wgc::op("image.compare_zero")]] float SampleCmpLevelZero(SamplerComparisonState s, float x, float reference, [[wgc::optional]] int offset, [[wgc::optional]] out uint status);
    [[wgc::op("image.compare_level")]] float SampleCmpLevel(SamplerComparisonState s, float x, float reference, float level, [[wgc::optional]] int offset, [[wgc::optional]] out uint status);
    [[wgc::op("image.compare_bias")]] float SampleCmpBias(SamplerComparisonState s, float x, float reference, float bias, [[wgc::optional]] int offset, [[wgc::optional]] float least, [[wgc::optional]] out uint status);
    [[wgc::op("image.compare_grad")]] float SampleCmpGrad(SamplerComparisonState s, float x, float reference, float along_x, float along_y, [[wgc::optional]] int offset, [[wgc::optional]] float least, [[wgc::optional]] out uint status);
    [[wgc::op("image.lod")]] float CalculateLevelOfDetail(SamplerState s, float x);
    [[wgc::op("image.lod_unclamped")]] float CalculateLevelOfDetailUnclamped(SamplerState s, float x);
    [[wgc::op("image.lod")]] float CalculateLevelOfDetail(SamplerComparisonState s, float x);
    [[wgc::op("image.lod_unclamped")]] float CalculateLevelOfDetailUnclamped(SamplerComparisonState s, float x);
    [[wgc::op("image.size")]] void GetDimensions(out uint width);
    [[wgc::op("image.size_level")]] void GetDimensions(uint level, out uint width, out uint levels);
};

template<typename T = float4> struct [[wgc::builtin("texture_1d_array")]] Texture1DArray
{
    [[wgc::op("image.texel")]] [[wgc::const_ref]] T operator[](uint2 position);
    [[wgc::op("image.mip_texel")]] [[wgc::indexed]] [[wgc::const_ref]] T mips(uint level, uint2 position);
    [[wgc::op("image.load")]] T Load(int3 position_and_level, [[wgc::optional]] int offset, [[wgc::optional]] out uint status);
    [[wgc::op("image.sample")]] T Sample(SamplerState s, float2 x, [[wgc::optional]] int offset, [[wgc::optional]] float least, [[wgc::optional]] out uint status);
    [[wgc::op("image.sample_bias")]] T SampleBias(SamplerState s, float2 x, float bias, [[wgc::optional]] int offset, [[wgc::optional]] float least, [[wgc::optional]] out uint status);
    [[wgc::op("image.sample_level")]] T SampleLevel(SamplerState s, float2 x, float level, [[wgc::optional]] int offset, [[wgc::optional]] out uint status);
    [[wgc::op("image.sample_grad")]] T SampleGrad(SamplerState s, float2 x, float along_x, float along_y, [[wgc::optional]] int offset, [[wgc::optional]] float least, [[wgc::optional]] out uint status);
    [[wgc::op("image.compare")]] float SampleCmp(SamplerComparisonState s, float2 x, float reference, [[wgc::optional]] int offset, [[wgc::optional]] float least, [[wgc::optional]] out uint status);
    [[wgc::op("image.compare_zero")]] float SampleCmpLevelZero(SamplerComparisonState s, float2 x, float reference, [[wgc::optional]] int offset, [[wgc::optional]] out uint status);
    [[wgc::op("image.compare_level")]] float SampleCmpLevel(SamplerComparisonState s, float2 x, float reference, float level, [[wgc::optional]] int offset, [[wgc::optional]] out uint status);
    [[wgc::op("image.compare_bias")]] float SampleCmpBias(SamplerComparisonState s, float2 x, float reference, float bias, [[wgc::optional]] int offset, [[wgc::optional]] float least, [[wgc::optional]] out uint status);
    [[wgc::op("image.compare_grad")]] float SampleCmpGrad(SamplerComparisonState s, float2 x, float reference, float along_x, float along_y, [[wgc::optional]] int offset, [[wgc::optional]] float least, [[wgc::optional]] out uint status);
    [[wgc::op("image.lod")]] float CalculateLevelOfDetail(SamplerState s, float x);
    [[wgc::op("image.lod_unclamped")]] float CalculateLevelOfDetailUnclamped(SamplerState s, float x);
    [[wgc::op("image.lod")]] float CalculateLevelOfDetail(SamplerComparisonState s, float x);
    [[wgc::op("image.lod_unclamped")]] float CalculateLevelOfDetailUnclamped(SamplerComparisonState s, float x);
    [[wgc::op("image.size")]] void GetDimensions(out uint width, out uint elements);
    [[wgc::op("image.size_level")]] void GetDimensions(uint level, out uint width, out uint elements, out uint levels);
};

template<typename T = float4> struct [[wgc::builtin("texture_2d")]] Texture2D
{
    [[wgc::op("image.texel")]] [[wgc::const_ref]] T operator[](uint2 position);
    [[wgc::op("image.mip_texel")]] [[wgc::indexed]] [[wgc::const_ref]] T mips(uint level, uint2 position);
    [[wgc::op("image.load")]] T Load(int3 position_and_level, [[wgc::optional]] int2 offset, [[wgc::optional]] out uint status);
    [[wgc::op("image.sample")]] T Sample(SamplerState s, float2 x, [[wgc::optional]] int2 offset, [[wgc::optional]] float least, [[wgc::optional]] out uint status);
    [[wgc::op("image.sample_bias")]] T SampleBias(SamplerState s, float2 x, float bias, [[wgc::optional]] int2 offset, [[wgc::optional]] float least, [[wgc::optional]] out uint status);
    [[wgc::op("image.sample_level")]] T SampleLevel(SamplerState s, float2 x, float level, [[wgc::optional]] int2 offset, [[wgc::optional]] out uint status);
    [[wgc::op("image.sample_grad")]] T SampleGrad(SamplerState s, float2 x, float2 along_x, float2 along_y, [[wgc::optional]] int2 offset, [[wgc::optional]] float least, [[wgc::optional]] out uint status);
    [[wgc::op("image.compare")]] float SampleCmp(SamplerComparisonState s, float2 x, float reference, [[wgc::optional]] int2 offset, [[wgc::optional]] float least, [[wgc::optional]] out uint status);
    [[wgc::op("image.compare_zero")]] float SampleCmpLevelZero(SamplerComparisonState s, float2 x, float reference, [[wgc::optional]] int2 offset, [[wgc::optional]] out uint status);
    [[wgc::op("image.compare_level")]] float SampleCmpLevel(SamplerComparisonState s, float2 x, float reference, float level, [[wgc::optional]] int2 offset, [[wgc::optional]] out uint status);
    [[wgc::op("image.compare_bias")]] float SampleCmpBias(SamplerComparisonState s, float2 x, float reference, float bias, [[wgc::optional]] int2 offset, [[wgc::optional]] float least, [[wgc::optional]] out uint status);
    [[wgc::op("image.compare_grad")]] float SampleCmpGrad(SamplerComparisonState s, float2 x, float reference, float2 along_x, float2 along_y, [[wgc::optional]] int2 offset, [[wgc::optional]] float least, [[wgc::optional]] out uint status);
    [[wgc::op("image.gather_red")]] vector<T, 4> Gather(SamplerState s, float2 x, [[wgc::optional]] int2 offset, [[wgc::optional]] out uint status);
    [[wgc::op("image.gather_red")]] vector<T, 4> GatherRed(SamplerState s, float2 x, [[wgc::optional]] int2 offset, [[wgc::optional]] out uint status);
    [[wgc::op("image.gather_red")]] vector<T, 4> GatherRed(SamplerState s, float2 x, int2 o1, int2 o2, int2 o3, int2 o4, [[wgc::optional]] out uint status);
    [[wgc::op("image.gather_green")]] vector<T, 4> GatherGreen(SamplerState s, float2 x, [[wgc::optional]] int2 offset, [[wgc::optional]] out uint status);
    [[wgc::op("image.gather_green")]] vector<T, 4> GatherGreen(SamplerState s, float2 x, int2 o1, int2 o2, int2 o3, int2 o4, [[wgc::optional]] out uint status);
    [[wgc::op("image.gather_blue")]] vector<T, 4> GatherBlue(SamplerState s, float2 x, [[wgc::optional]] int2 offset, [[wgc::optional]] out uint status);
    [[wgc::op("image.gather_blue")]] vector<T, 4> GatherBlue(SamplerState s, float2 x, int2 o1, int2 o2, int2 o3, int2 o4, [[wgc::optional]] out uint status);
    [[wgc::op("image.gather_alpha")]] vector<T, 4> GatherAlpha(SamplerState s, float2 x, [[wgc::optional]] int2 offset, [[wgc::optional]] out uint status);
    [[wgc::op("image.gather_alpha")]] vector<T, 4> GatherAlpha(SamplerState s, float2 x, int2 o1, int2 o2, int2 o3, int2 o4, [[wgc::optional]] out uint status);
    [[wgc::op("image.gather_compare_red")]] float4 GatherCmp(SamplerComparisonState s, float2 x, float reference, [[wgc::optional]] int2 offset, [[wgc::optional]] out uint status);
    [[wgc::op("image.gather_compare_red")]] float4 GatherCmpRed(SamplerComparisonState s, float2 x, float reference, [[wgc::optional]] int2 offset, [[wgc::optional]] out uint status);
    [[wgc::op("image.gather_compare_red")]] float4 GatherCmpRed(SamplerComparisonState s, float2 x, float reference, int2 o1, int2 o2, int2 o3, int2 o4, [[wgc::optional]] out uint status);
    [[wgc::op("image.gather_compare_green")]] float4 GatherCmpGreen(SamplerComparisonState s, float2 x, float reference, [[wgc::optional]] int2 offset, [[wgc::optional]] out uint status);
    [[wgc::op("image.gather_compare_green")]] float4 GatherCmpGreen(SamplerComparisonState s, float2 x, float reference, int2 o1, int2 o2, int2 o3, int2 o4, [[wgc::optional]] out uint status);
    [[wgc::op("image.gather_compare_blue")]] float4 GatherCmpBlue(SamplerComparisonState s, float2 x, float reference, [[wgc::optional]] int2 offset, [[wgc::optional]] out uint status);
    [[wgc::op("image.gather_compare_blue")]] float4 GatherCmpBlue(SamplerComparisonState s, float2 x, float reference, int2 o1, int2 o2, int2 o3, int2 o4, [[wgc::optional]] out uint status);
    [[wgc::op("image.gather_compare_alpha")]] float4 GatherCmpAlpha(SamplerComparisonState s, float2 x, float reference, [[wgc::optional]] int2 offset, [[wgc::optional]] out uint status);
    [[wgc::op("image.gather_compare_alpha")]] float4 GatherCmpAlpha(SamplerComparisonState s, float2 x, float reference, int2 o1, int2 o2, int2 o3, int2 o4, [[wgc::optional]] out uint status);
    [[wgc::op("image.gather_raw")]] vector<T, 4> GatherRaw(SamplerState s, float2 x, [[wgc::optional]] int2 offset, [[wgc::optional]] out uint status);
    [[wgc::op("image.lod")]] float CalculateLevelOfDetail(SamplerState s, float2 x);
    [[wgc::op("image.lod_unclamped")]] float CalculateLevelOfDetailUnclamped(SamplerState s, float2 x);
    [[wgc::op("image.lod")]] float CalculateLevelOfDetail(SamplerComparisonState s, float2 x);
    [[wgc::op("image.lod_unclamped")]] float CalculateLevelOfDetailUnclamped(SamplerComparisonState s, float2 x);
    [[wgc::op("image.size")]] void GetDimensions(out uint width, out uint height);
    [[wgc::op("image.size_level")]] void GetDimensions(uint level, out uint width, out uint height, out uint levels);
};

template<typename T = float4> struct [[wgc::builtin("texture_2d_array")]] Texture2DArray
{
    [[wgc::op("image.texel")]] [[wgc::const_ref]] T operator[](uint3 position);
    [[wgc::op("image.mip_texel")]] [[wgc::indexed]] [[wgc::const_ref]] T mips(uint level, uint3 position);
    [[wgc::op("image.load")]] T Load(int4 position_and_level, [[wgc::optional]] int2 offset, [[wgc::optional]] out uint status);
    [[wgc::op("image.sample")]] T Sample(SamplerState s, float3 x, [[wgc::optional]] int2 offset, [[wgc::optional]] float least, [[wgc::optional]] out uint status);
    [[wgc::op("image.sample_bias")]] T SampleBias(SamplerState s, float3 x, float bias, [[wgc::optional]] int2 offset, [[wgc::optional]] float least, [[wgc::optional]] out uint status);
    [[wgc::op("image.sample_level")]] T SampleLevel(SamplerState s, float3 x, float level, [[wgc::optional]] int2 offset, [[wgc::optional]] out uint status);
    [[wgc::op("image.sample_grad")]] T SampleGrad(SamplerState s, float3 x, float2 along_x, float2 along_y, [[wgc::optional]] int2 offset, [[wgc::optional]] float least, [[wgc::optional]] out uint status);
    [[wgc::op("image.compare")]] float SampleCmp(SamplerComparisonState s, float3 x, float reference, [[wgc::optional]] int2 offset, [[wgc::optional]] float least, [[wgc::optional]] out uint status);
    [[wgc::op("image.compare_zero")]] float SampleCmpLevelZero(SamplerComparisonState s, float3 x, float reference, [[wgc::optional]] int2 offset, [[wgc::optional]] out uint status);
    [[wgc::op("image.compare_level")]] float SampleCmpLevel(SamplerComparisonState s, float3 x, float reference, float level, [[wgc::optional]] int2 offset, [[wgc::optional]] out uint status);
    [[wgc::op("image.compare_bias")]] float SampleCmpBias(SamplerComparisonState s, float3 x, float reference, float bias, [[wgc::optional]] int2 offset, [[wgc::optional]] float least, [[wgc::optional]] out uint status);
    [[wgc::op("image.compare_grad")]] float SampleCmpGrad(SamplerComparisonState s, float3 x, float reference, float2 along_x, float2 along_y, [[wgc::optional]] int2 offset, [[wgc::optional]] float least, [[wgc::optional]] out uint status);
    [[wgc::op("image.gather_red")]] vector<T, 4> Gather(SamplerState s, float3 x, [[wgc::optional]] int2 offset, [[wgc::optional]] out uint status);
    [[wgc::op("image.gather_red")]] vector<T, 4> GatherRed(SamplerState s, float3 x, [[wgc::optional]] int2 offset, [[wgc::optional]] out uint status);
    [[wgc::op("image.gather_red")]] vector<T, 4> GatherRed(SamplerState s, float3 x, int2 o1, int2 o2, int2 o3, int2 o4, [[wgc::optional]] out uint status);
    [[wgc::op("image.gather_green")]] vector<T, 4> GatherGreen(SamplerState s, float3 x, [[wgc::optional]] int2 offset, [[wgc::optional]] out uint status);
    [[wgc::op("image.gather_green")]] vector<T, 4> GatherGreen(SamplerState s, float3 x, int2 o1, int2 o2, int2 o3, int2 o4, [[wgc::optional]] out uint status);
    [[wgc::op("image.gather_blue")]] vector<T, 4> GatherBlue(SamplerState s, float3 x, [[wgc::optional]] int2 offset, [[wgc::optional]] out uint status);
    [[wgc::op("image.gather_blue")]] vector<T, 4> GatherBlue(SamplerState s, float3 x, int2 o1, int2 o2, int2 o3, int2 o4, [[wgc::optional]] out uint status);
    [[wgc::op("image.gather_alpha")]] vector<T, 4> GatherAlpha(SamplerState s, float3 x, [[wgc::optional]] int2 offset, [[wgc::optional]] out uint status);
    [[wgc::op("image.gather_alpha")]] vector<T, 4> GatherAlpha(SamplerState s, float3 x, int2 o1, int2 o2, int2 o3, int2 o4, [[wgc::optional]] out uint status);
    [[wgc::op("image.gather_compare_red")]] float4 GatherCmp(SamplerComparisonState s, float3 x, float reference, [[wgc::optional]] int2 offset, [[wgc::optional]] out uint status);
    [[wgc::op("image.gather_compare_red")]] float4 GatherCmpRed(SamplerComparisonState s, float3 x, float reference, [[wgc::optional]] int2 offset, [[wgc::optional]] out uint status);
    [[wgc::op("image.gather_compare_red")]] float4 GatherCmpRed(SamplerComparisonState s, float3 x, float reference, int2 o1, int2 o2, int2 o3, int2 o4, [[wgc::optional]] out uint status);
    [[wgc::op("image.gather_compare_green")]] float4 GatherCmpGreen(SamplerComparisonState s, float3 x, float reference, [[wgc::optional]] int2 offset, [[wgc::optional]] out uint status);
    [[wgc::op("image.gather_compare_green")]] float4 GatherCmpGreen(SamplerComparisonState s, float3 x, float reference, int2 o1, int2 o2, int2 o3, int2 o4, [[wgc::optional]] out uint status);
    [[wgc::op("image.gather_compare_blue")]] float4 GatherCmpBlue(SamplerComparisonState s, float3 x, float reference, [[wgc::optional]] int2 offset, [[wgc::optional]] out uint status);
    [[wgc::op("image.gather_compare_blue")]] float4 GatherCmpBlue(SamplerComparisonState s, float3 x, float reference, int2 o1, int2 o2, int2 o3, int2 o4, [[wgc::optional]] out uint status);
    [[wgc::op("image.gather_compare_alpha")]] float4 GatherCmpAlpha(SamplerComparisonState s, float3 x, float reference, [[wgc::optional]] int2 offset, [[wgc::optional]] out uint status);
    [[wgc::op("image.gather_compare_alpha")]] float4 GatherCmpAlpha(SamplerComparisonState s, float3 x, float reference, int2 o1, int2 o2, int2 o3, int2 o4, [[wgc::optional]] out uint status);
    [[wgc::op("image.gather_raw")]] vector<T, 4> GatherRaw(SamplerState s, float3 x, [[wgc::optional]] int2 offset, [[wgc::optional]] out uint status);
    [[wgc::op("image.lod")]] float CalculateLevelOfDetail(SamplerState s, float2 x);
    [[wgc::op("image.lod_unclamped")]] float CalculateLevelOfDetailUnclamped(SamplerState s, float2 x);
    [[wgc::op("image.lod")]] float CalculateLevelOfDetail(SamplerComparisonState s, float2 x);
    [[wgc::op("image.lod_unclamped")]] float CalculateLevelOfDetailUnclamped(SamplerComparisonState s, float2 x);
    [[wgc::op("image.size")]] void GetDimensions(out uint width, out uint height, out uint elements);
    [[wgc::op("image.size_level")]] void GetDimensions(uint level, out uint width, out uint height, out uint elements, out uint levels);
};

template<typename T = float4> struct [[wgc::builtin("texture_3d")]] Texture3D
{
    [[wgc::op("image.texel")]] [[wgc::const_ref]] T operator[](uint3 position);
    [[wgc::op("image.mip_texel")]] [[wgc::indexed]] [[wgc::const_ref]] T mips(uint level, uint3 position);
    [[wgc::op("image.load")]] T Load(int4 position_and_level, [[wgc::optional]] int3 offset, [[wgc::optional]] out uint status);
    [[wgc::op("image.sample")]] T Sample(SamplerState s, float3 x, [[wgc::optional]] int3 offset, [[wgc::optional]] float least, [[wgc::optional]] out uint status);
    [[wgc::op("image.sample_bias")]] T SampleBias(SamplerState s, float3 x, float bias, [[wgc::optional]] int3 offset, [[wgc::optional]] float least, [[wgc::optional]] out uint status);
    [[wgc::op("image.sample_level")]] T SampleLevel(SamplerState s, float3 x, float level, [[wgc::optional]] int3 offset, [[wgc::optional]] out uint status);
    [[wgc::op("image.sample_grad")]] T SampleGrad(SamplerState s, float3 x, float3 along_x, float3 along_y, [[wgc::optional]] int3 offset, [[wgc::optional]] float least, [[wgc::optional]] out uint status);
    [[wgc::op("image.lod")]] float CalculateLevelOfDetail(SamplerState s, float3 x);
    [[wgc::op("image.lod_unclamped")]] float CalculateLevelOfDetailUnclamped(SamplerState s, float3 x);
    [[wgc::op("image.size")]] void GetDimensions(out uint width, out uint height, out uint depth);
    [[wgc::op("image.size_level")]] void GetDimensions(uint level, out uint width, out uint height, out uint depth, out uint levels);
};

template<typename T = float4> struct [[wgc::builtin("texture_cube")]] TextureCube
{
    [[wgc::op("image.sample")]] T Sample(SamplerState s, float3 x, [[wgc::optional]] float least, [[wgc::optional]] out uint status);
    [[wgc::op("image.sample_bias")]] T SampleBias(SamplerState s, float3 x, float bias, [[wgc::optional]] float least, [[wgc::optional]] out uint status);
    [[wgc::op("image.sample_level")]] T SampleLevel(SamplerState s, float3 x, float level, [[wgc::optional]] out uint status);
    [[wgc::op("image.sample_grad")]] T SampleGrad(SamplerState s, float3 x, float3 along_x, float3 along_y, [[wgc::optional]] float least, [[wgc::optional]] out uint status);
    [[wgc::op("image.compare")]] float SampleCmp(SamplerComparisonState s, float3 x, float reference, [[wgc::optional]] float least, [[wgc::optional]] out uint status);
    [[wgc::op("image.compare_zero")]] float SampleCmpLevelZero(SamplerComparisonState s, float3 x, float reference, [[wgc::optional]] out uint status);
    [[wgc::op("image.compare_level")]] float SampleCmpLevel(SamplerComparisonState s, float3 x, float reference, float level, [[wgc::optional]] out uint status);
    [[wgc::op("image.compare_bias")]] float SampleCmpBias(SamplerComparisonState s, float3 x, float reference, float bias, [[wgc::optional]] float least, [[wgc::optional]] out uint status);
    [[wgc::op("image.compare_grad")]] float SampleCmpGrad(SamplerComparisonState s, float3 x, float reference, float3 along_x, float3 along_y, [[wgc::optional]] float least, [[wgc::optional]] out uint status);
    [[wgc::op("image.gather_red")]] vector<T, 4> Gather(SamplerState s, float3 x, [[wgc::optional]] out uint status);
    [[wgc::op("image.gather_red")]] vector<T, 4> GatherRed(SamplerState s, float3 x, [[wgc::optional]] out uint status);
    [[wgc::op("image.gather_green")]] vector<T, 4> GatherGreen(SamplerState s, float3 x, [[wgc::optional]] out uint status);
    [[wgc::op("image.gather_blue")]] vector<T, 4> GatherBlue(SamplerState s, float3 x, [[wgc::optional]] out uint status);
    [[wgc::op("image.gather_alpha")]] vector<T, 4> GatherAlpha(SamplerState s, float3 x, [[wgc::optional]] out uint status);
    [[wgc::op("image.gather_compare_red")]] float4 GatherCmp(SamplerComparisonState s, float3 x, float reference, [[wgc::optional]] out uint status);
    [[wgc::op("image.gather_compare_red")]] float4 GatherCmpRed(SamplerComparisonState s, float3 x, float reference, [[wgc::optional]] out uint status);
    [[wgc::op("image.gather_compare_green")]] float4 GatherCmpGreen(SamplerComparisonState s, float3 x, float reference, [[wgc::optional]] out uint status);
    [[wgc::op("image.gather_compare_blue")]] float4 GatherCmpBlue(SamplerComparisonState s, float3 x, float reference, [[wgc::optional]] out uint status);
    [[wgc::op("image.gather_compare_alpha")]] float4 GatherCmpAlpha(SamplerComparisonState s, float3 x, float reference, [[wgc::optional]] out uint status);
    [[wgc::op("image.lod")]] float CalculateLevelOfDetail(SamplerState s, float3 x);
    [[wgc::op("image.lod_unclamped")]] float CalculateLevelOfDetailUnclamped(SamplerState s, float3 x);
    [[wgc::op("image.lod")]] float CalculateLevelOfDetail(SamplerComparisonState s, float3 x);
    [[wgc::op("image.lod_unclamped")]] float CalculateLevelOfDetailUnclamped(SamplerComparisonState s, float3 x);
    [[wgc::op("image.size")]] void GetDimensions(out uint width, out uint height);
    [[wgc::op("image.size_level")]] void GetDimensions(uint level, out uint width, out uint height, out uint levels);
};

template<typename T = float4> struct [[wgc::builtin("texture_cube_array")]] TextureCubeArray
{
    [[wgc::op("image.sample")]] T Sample(SamplerState s, float4 x, [[wgc::optional]] float least, [[wgc::optional]] out uint status);
    [[wgc::op("image.sample_bias")]] T SampleBias(SamplerState s, float4 x, float bias, [[wgc::optional]] float least, [[wgc::optional]] out uint status);
    [[wgc::op("image.sample_level")]] T SampleLevel(SamplerState s, float4 x, float level, [[wgc::optional]] out uint status);
    [[wgc::op("image.sample_grad")]] T SampleGrad(SamplerState s, float4 x, float3 along_x, float3 along_y, [[wgc::optional]] float least, [[wgc::optional]] out uint status);
    [[wgc::op("image.compare")]] float SampleCmp(SamplerComparisonState s, float4 x, float reference, [[wgc::optional]] float least, [[wgc::optional]] out uint status);
    [[wgc::op("image.compare_zero")]] float SampleCmpLevelZero(SamplerComparisonState s, float4 x, float reference, [[wgc::optional]] out uint status);
    [[wgc::op("image.compare_level")]] float SampleCmpLevel(SamplerComparisonState s, float4 x, float reference, float level, [[wgc::optional]] out uint status);
    [[wgc::op("image.compare_bias")]] float SampleCmpBias(SamplerComparisonState s, float4 x, float reference, float bias, [[wgc::optional]] float least, [[wgc::optional]] out uint status);
    [[wgc::op("image.compare_grad")]] float SampleCmpGrad(SamplerComparisonState s, float4 x, float reference, float3 along_x, float3 along_y, [[wgc::optional]] float least, [[wgc::optional]] out uint status);
    [[wgc::op("image.gather_red")]] vector<T, 4> Gather(SamplerState s, float4 x, [[wgc::optional]] out uint status);
    [[wgc::op("image.gather_red")]] vector<T, 4> GatherRed(SamplerState s, float4 x, [[wgc::optional]] out uint status);
    [[wgc::op("image.gather_green")]] vector<T, 4> GatherGreen(SamplerState s, float4 x, [[wgc::optional]] out uint status);
    [[wgc::op("image.gather_blue")]] vector<T, 4> GatherBlue(SamplerState s, float4 x, [[wgc::optional]] out uint status);
    [[wgc::op("image.gather_alpha")]] vector<T, 4> GatherAlpha(SamplerState s, float4 x, [[wgc::optional]] out uint status);
    [[wgc::op("image.gather_compare_red")]] float4 GatherCmp(SamplerComparisonState s, float4 x, float reference, [[wgc::optional]] out uint status);
    [[wgc::op("image.gather_compare_red")]] float4 GatherCmpRed(SamplerComparisonState s, float4 x, float reference, [[wgc::optional]] out uint status);
    [[wgc::op("image.gather_compare_green")]] float4 GatherCmpGreen(SamplerComparisonState s, float4 x, float reference, [[wgc::optional]] out uint status);
    [[wgc::op("image.gather_compare_blue")]] float4 GatherCmpBlue(SamplerComparisonState s, float4 x, float reference, [[wgc::optional]] out uint status);
    [[wgc::op("image.gather_compare_alpha")]] float4 GatherCmpAlpha(SamplerComparisonState s, float4 x, float reference, [[wgc::optional]] out uint status);
    [[wgc::op("image.lod")]] float CalculateLevelOfDetail(SamplerState s, float3 x);
    [[wgc::op("image.lod_unclamped")]] float CalculateLevelOfDetailUnclamped(SamplerState s, float3 x);
    [[wgc::op("image.lod")]] float CalculateLevelOfDetail(SamplerComparisonState s, float3 x);
    [[wgc::op("image.lod_unclamped")]] float CalculateLevelOfDetailUnclamped(SamplerComparisonState s, float3 x);
    [[wgc::op("image.size")]] void GetDimensions(out uint width, out uint height, out uint elements);
    [[wgc::op("image.size_level")]] void GetDimensions(uint level, out uint width, out uint height, out uint elements, out uint levels);
};
