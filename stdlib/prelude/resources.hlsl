// Buffers whose elements are places. Buffers of formatted texels are in textures.hlsl.

template<typename T> struct [[wgc::builtin("structured_buffer")]] StructuredBuffer
{
    [[wgc::op("buffer.element")]] [[wgc::const_ref]] T operator[](uint index);
    [[wgc::op("buffer.element")]] [[wgc::const_ref]] T Load(uint index);
    [[wgc::op("buffer.load")]] T Load(uint index, out uint status);
    [[wgc::op("buffer.size")]] void GetDimensions(out uint count, out uint stride);
};

template<typename T> struct [[wgc::builtin("rw_structured_buffer")]] RWStructuredBuffer
{
    [[wgc::op("buffer.element")]] [[wgc::ref]] T operator[](uint index);
    [[wgc::op("buffer.element")]] [[wgc::const_ref]] T Load(uint index);
    [[wgc::op("buffer.load")]] T Load(uint index, out uint status);
    [[wgc::op("buffer.size")]] void GetDimensions(out uint count, out uint stride);
    [[wgc::op("buffer.increment")]] uint IncrementCounter();
    [[wgc::op("buffer.decrement")]] uint DecrementCounter();
};

template<typename T> struct [[wgc::builtin("append_structured_buffer")]] AppendStructuredBuffer
{
    [[wgc::op("buffer.append")]] void Append(T value);
    [[wgc::op("buffer.size")]] void GetDimensions(out uint count, out uint stride);
};

template<typename T> struct [[wgc::builtin("consume_structured_buffer")]] ConsumeStructuredBuffer
{
    [[wgc::op("buffer.consume")]] T Consume();
    [[wgc::op("buffer.size")]] void GetDimensions(out uint count, out uint stride);
};

struct [[wgc::builtin("byte_address_buffer")]] ByteAddressBuffer
{
    [[wgc::op("raw.load")]] uint Load(uint offset, [[wgc::optional]] out uint status);
    [[wgc::op("raw.load")]] uint2 Load2(uint offset, [[wgc::optional]] out uint status);
    [[wgc::op("raw.load")]] uint3 Load3(uint offset, [[wgc::optional]] out uint status);
    [[wgc::op("raw.load")]] uint4 Load4(uint offset, [[wgc::optional]] out uint status);
    template<typename T> [[wgc::op("raw.load")]] T Load(uint offset, [[wgc::optional]] out uint status);
    [[wgc::op("raw.size")]] void GetDimensions(out uint bytes);
};

struct [[wgc::builtin("rw_byte_address_buffer")]] RWByteAddressBuffer
{
    [[wgc::op("raw.load")]] uint Load(uint offset, [[wgc::optional]] out uint status);
    [[wgc::op("raw.load")]] uint2 Load2(uint offset, [[wgc::optional]] out uint status);
    [[wgc::op("raw.load")]] uint3 Load3(uint offset, [[wgc::optional]] out uint status);
    [[wgc::op("raw.load")]] uint4 Load4(uint offset, [[wgc::optional]] out uint status);
    template<typename T> [[wgc::op("raw.load")]] T Load(uint offset, [[wgc::optional]] out uint status);
    [[wgc::op("raw.store")]] void Store(uint offset, uint value);
    [[wgc::op("raw.store")]] void Store2(uint offset, uint2 value);
    [[wgc::op("raw.store")]] void Store3(uint offset, uint3 value);
    [[wgc::op("raw.store")]] void Store4(uint offset, uint4 value);
    template<typename T> [[wgc::op("raw.store")]] void Store(uint offset, T value);
    [[wgc::op("raw.size")]] void GetDimensions(out uint bytes);

    [[wgc::op("raw.atomic_add")]] void InterlockedAdd(uint offset, uint value);
    [[wgc::op("raw.atomic_add")]] void InterlockedAdd(uint offset, uint value, out uint original);
    [[wgc::op("raw.atomic_min")]] void InterlockedMin(uint offset, uint value);
    [[wgc::op("raw.atomic_signed_min")]] void InterlockedMin(uint offset, int value);
    [[wgc::op("raw.atomic_signed_min")]] void InterlockedMin(uint offset, int value, out uint original);
    [[wgc::op("raw.atomic_min")]] void InterlockedMin(uint offset, uint value, out uint original);
    void InterlockedMin(uint offset, float value) { InterlockedMin(offset, int(value)); }
    void InterlockedMin(uint offset, float value, out uint original) { InterlockedMin(offset, int(value), original); }
    [[wgc::op("raw.atomic_max")]] void InterlockedMax(uint offset, uint value);
    [[wgc::op("raw.atomic_signed_max")]] void InterlockedMax(uint offset, int value);
    [[wgc::op("raw.atomic_signed_max")]] void InterlockedMax(uint offset, int value, out uint original);
    [[wgc::op("raw.atomic_max")]] void InterlockedMax(uint offset, uint value, out uint original);
    void InterlockedMax(uint offset, float value) { InterlockedMax(offset, int(value)); }
    void InterlockedMax(uint offset, float value, out uint original) { InterlockedMax(offset, int(value), original); }
    [[wgc::op("raw.atomic_and")]] void InterlockedAnd(uint offset, uint value);
    [[wgc::op("raw.atomic_and")]] void InterlockedAnd(uint offset, uint value, out uint original);
    [[wgc::op("raw.atomic_or")]] void InterlockedOr(uint offset, uint value);
    [[wgc::op("raw.atomic_or")]] void InterlockedOr(uint offset, uint value, out uint original);
    [[wgc::op("raw.atomic_xor")]] void InterlockedXor(uint offset, uint value);
    [[wgc::op("raw.atomic_xor")]] void InterlockedXor(uint offset, uint value, out uint original);
    [[wgc::op("raw.atomic_exchange")]] void InterlockedExchange(uint offset, uint value, out uint original);
    [[wgc::op("raw.atomic_compare_exchange")]] void InterlockedCompareExchange(uint offset, uint compare, uint value, out uint original);
    [[wgc::op("raw.atomic_compare_store")]] void InterlockedCompareStore(uint offset, uint compare, uint value);

    // These work on the bits of floats: -0 and 0 differ, and a NaN equals itself.
    [[wgc::op("raw.atomic_exchange")]] void InterlockedExchangeFloat(uint offset, float value, out float original);
    [[wgc::op("raw.atomic_compare_exchange")]] void InterlockedCompareExchangeFloatBitwise(uint offset, float compare, float value, out float original);
    [[wgc::op("raw.atomic_compare_store")]] void InterlockedCompareStoreFloatBitwise(uint offset, float compare, float value);

    // Atomics of 64 bits, at offsets that are multiples of eight.
    [[wgc::op("raw.wide_add")]] void InterlockedAdd64(uint offset, uint64_t value);
    [[wgc::op("raw.wide_add")]] void InterlockedAdd64(uint offset, uint64_t value, out uint64_t original);
    [[wgc::op("raw.wide_min")]] void InterlockedMin64(uint offset, uint64_t value);
    [[wgc::op("raw.wide_min")]] void InterlockedMin64(uint offset, uint64_t value, out uint64_t original);
    [[wgc::op("raw.wide_signed_min")]] void InterlockedMin64(uint offset, int64_t value);
    [[wgc::op("raw.wide_signed_min")]] void InterlockedMin64(uint offset, int64_t value, out uint64_t original);
    [[wgc::op("raw.wide_max")]] void InterlockedMax64(uint offset, uint64_t value);
    [[wgc::op("raw.wide_max")]] void InterlockedMax64(uint offset, uint64_t value, out uint64_t original);
    [[wgc::op("raw.wide_signed_max")]] void InterlockedMax64(uint offset, int64_t value);
    [[wgc::op("raw.wide_signed_max")]] void InterlockedMax64(uint offset, int64_t value, out uint64_t original);
    [[wgc::op("raw.wide_and")]] void InterlockedAnd64(uint offset, uint64_t value);
    [[wgc::op("raw.wide_and")]] void InterlockedAnd64(uint offset, uint64_t value, out uint64_t original);
    [[wgc::op("raw.wide_or")]] void InterlockedOr64(uint offset, uint64_t value);
    [[wgc::op("raw.wide_or")]] void InterlockedOr64(uint offset, uint64_t value, out uint64_t original);
    [[wgc::op("raw.wide_xor")]] void InterlockedXor64(uint offset, uint64_t value);
    [[wgc::op("raw.wide_xor")]] void InterlockedXor64(uint offset, uint64_t value, out uint64_t original);
    [[wgc::op("raw.wide_exchange")]] void InterlockedExchange64(uint offset, uint64_t value, out uint64_t original);
    [[wgc::op("raw.wide_compare_exchange")]] void InterlockedCompareExchange64(uint offset, uint64_t compare, uint64_t value, out uint64_t original);
    [[wgc::op("raw.wide_compare_store")]] void InterlockedCompareStore64(uint offset, uint64_t compare, uint64_t value);
};

// ---- constants

template<typename T> struct [[wgc::builtin("constant_buffer")]] ConstantBuffer
{
};

// A block of constants in a read-only buffer.
template<typename T> struct [[wgc::builtin("texture_buffer")]] TextureBuffer
{
};

template<typename T> [[wgc::op("resource.non_uniform")]] [[wgc::on("any")]] T NonUniformResourceIndex([[wgc::no_matrix]] T index);

// ---- heaps: an element has the type of the variable that it initialises

namespace wgc
{
    struct [[wgc::builtin("resource_heap_element")]] ResourceHeapElement
    {
    };

    struct [[wgc::builtin("sampler_heap_element")]] SamplerHeapElement
    {
    };

    struct [[wgc::builtin("resource_heap")]] ResourceHeap
    {
        [[wgc::op("heap.element")]] ResourceHeapElement operator[](uint index);
    };

    struct [[wgc::builtin("sampler_heap")]] SamplerHeap
    {
        [[wgc::op("heap.element")]] SamplerHeapElement operator[](uint index);
    };
}

static const wgc::ResourceHeap ResourceDescriptorHeap;
static const wgc::SamplerHeap SamplerDescriptorHeap;

// ---- subobjects: initialised with strings, read by hosts

struct [[wgc::builtin("global_root_signature")]] GlobalRootSignature
{
};

struct [[wgc::builtin("local_root_signature")]] LocalRootSignature
{
};

struct [[wgc::builtin("subobject_association")]] SubobjectToExportsAssociation
{
};

// Subobjects of ray tracing. Nodes do not use them, but libraries with both declare them.

struct [[wgc::builtin("subobject")]] StateObjectConfig
{
};

struct [[wgc::builtin("subobject")]] RaytracingShaderConfig
{
};

struct [[wgc::builtin("subobject")]] RaytracingPipelineConfig
{
};

struct [[wgc::builtin("subobject")]] RaytracingPipelineConfig1
{
};

struct [[wgc::builtin("subobject")]] TriangleHitGroup
{
};

struct [[wgc::builtin("subobject")]] ProceduralPrimitiveHitGroup
{
};

// Types of the effect framework. Variables of these types are removed with a warning.

struct [[wgc::builtin("effect")]] texture
{
};

struct [[wgc::builtin("effect")]] Texture
{
};

struct [[wgc::builtin("effect")]] pixelshader
{
};

struct [[wgc::builtin("effect")]] PixelShader
{
};

struct [[wgc::builtin("effect")]] pixelfragment
{
};

struct [[wgc::builtin("effect")]] vertexshader
{
};

struct [[wgc::builtin("effect")]] VertexShader
{
};

struct [[wgc::builtin("effect")]] vertexfragment
{
};

struct [[wgc::builtin("effect")]] ComputeShader
{
};

struct [[wgc::builtin("effect")]] DomainShader
{
};

struct [[wgc::builtin("effect")]] GeometryShader
{
};

struct [[wgc::builtin("effect")]] HullShader
{
};

struct [[wgc::builtin("effect")]] BlendState
{
};

struct [[wgc::builtin("effect")]] DepthStencilState
{
};

struct [[wgc::builtin("effect")]] DepthStencilView
{
};

struct [[wgc::builtin("effect")]] RasterizerState
{
};

struct [[wgc::builtin("effect")]] RenderTargetView
{
};
