// Deferred shading by material: the frame is cut into tiles of 8x8, and each tile finds out which pixels have which
// material. A node array shades every pair of tile and material that exists.
//
//   Frame -> Shade[Sky | Diffuse | Checker | Metal | Toon | Emissive]

#include "scene.hlsli"
#include "../common/packing.hlsli"

ConstantBuffer<FrameConstants> Frame : register(b0);
globallycoherent RWTexture2D<uint4> GBuffer : register(u0); // position.xz as floats, normal, albedo and material
RWTexture2D<float4> Target : register(u1);
RWStructuredBuffer<uint> TilesOfMaterial : register(u2);
RWStructuredBuffer<uint> PixelsOfMaterial : register(u3);

struct FrameRecord
{
    uint2 tiles : SV_DispatchGrid;
};

struct TileWork
{
    uint tile;       // x | y << 16
    uint2 coverage;  // one bit per pixel
};

// ---------------------------------------------------------------------------------------------------- the G-buffer

struct PackedSurface
{
    uint4 words;

    static PackedSurface Pack(Surface s)
    {
        PackedSurface p;
        p.words = uint4(asuint(s.position.xz), PackNormal(s.normal), PackUnorm4x8(float4(s.albedo, 0.0f)));
        p.words.w = (p.words.w & 0x00ffffffu) | (s.material << 24);
        return p;
    }

    uint Material() { return words.w >> 24; }

    Surface Unpack(Ray ray)
    {
        Surface s;
        s.position.xz = asfloat(words.xy);
        s.normal = UnpackNormal(words.z);
        s.albedo = UnpackUnorm4x8(words.w).rgb;
        s.material = Material();
        // The height follows from the ray.
        const float t = abs(ray.direction.x) > abs(ray.direction.z)
                            ? (s.position.x - ray.origin.x) / ray.direction.x
                            : (s.position.z - ray.origin.z) / ray.direction.z;
        s.position.y = ray.At(t).y;
        return s;
    }
};

Ray CameraRay(uint2 pixel)
{
    const float2 ndc = (float2(pixel) + 0.5f) / float2(Frame.size) * 2.0f - 1.0f;
    Ray ray;
    ray.origin = Frame.eye;
    ray.direction = normalize(float3(ndc.x * Frame.aspect, -ndc.y - 0.35f, 1.9f));
    return ray;
}

// ---------------------------------------------------------------------------------------------------- classification

groupshared uint2 g_coverage[MATERIAL_COUNT];

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeIsProgramEntry]
[NodeMaxDispatchGrid(64, 64, 1)]
[NumThreads(TILE_SIZE, TILE_SIZE, 1)]
void ClassifyTiles(
    DispatchNodeInputRecord<FrameRecord> input,
    uint2 tile : SV_GroupID,
    uint2 pixel : SV_DispatchThreadID,
    uint thread : SV_GroupIndex,
    [MaxRecords(MATERIAL_COUNT)] [NodeID("Shade")] [NodeArraySize(MATERIAL_COUNT)] NodeOutputArray<TileWork> shade)
{
    if (thread < MATERIAL_COUNT)
        g_coverage[thread] = uint2(0, 0);
    GroupMemoryBarrierWithGroupSync();

    Surface surface;
    Trace(CameraRay(pixel), surface);
    GBuffer[pixel] = PackedSurface::Pack(surface).words;

    const uint bit = 1u << (thread & 31u);
    if (thread < 32)
        InterlockedOr(g_coverage[surface.material].x, bit);
    else
        InterlockedOr(g_coverage[surface.material].y, bit);

    Barrier(UAV_MEMORY, DEVICE_SCOPE);
    Barrier(GROUP_SHARED_MEMORY, GROUP_SYNC | GROUP_SCOPE);

    // One lane for each material: it sends the tile to the material if some pixel has it.
    const uint material = min(thread, MATERIAL_COUNT - 1);
    const bool present = thread < MATERIAL_COUNT && any(g_coverage[material] != 0);
    ThreadNodeOutputRecords<TileWork> work = shade[material].GetThreadNodeOutputRecords(present ? 1 : 0);
    if (present)
    {
        work.Get().tile = tile.x | (tile.y << 16);
        work.Get().coverage = g_coverage[material];
    }
    work.OutputComplete();
}

// ---------------------------------------------------------------------------------------------------- materials

float3 SkyColor(float3 direction)
{
    const float3 horizon = float3(0.85f, 0.90f, 0.98f);
    const float3 zenith = float3(0.25f, 0.45f, 0.80f);
    return lerp(horizon, zenith, sqrt(saturate(direction.y)));
}

struct Lighting
{
    float3 toSun;
    float sunlight; // cosine, or 0 in shadow

    static Lighting At(Surface s)
    {
        Lighting l;
        l.toSun = normalize(Frame.sun);
        Ray shadow;
        shadow.origin = s.position + s.normal * 0.01f;
        shadow.direction = l.toSun;
        l.sunlight = Occluded(shadow) ? 0.0f : saturate(dot(s.normal, l.toSun));
        return l;
    }

    float3 Diffuse(Surface s) { return s.albedo * (0.9f * sunlight + 0.25f * (0.5f + 0.5f * s.normal.y)); }
};

struct SkyMaterial
{
    float3 Shade(Surface s, Ray ray) { return SkyColor(ray.direction); }
};

struct DiffuseMaterial
{
    float3 Shade(Surface s, Ray ray) { return Lighting::At(s).Diffuse(s); }
};

struct CheckerMaterial
{
    float3 Shade(Surface s, Ray ray)
    {
        const int2 cell = int2(floor(s.position.xz * 1.25f));
        s.albedo = ((cell.x ^ cell.y) & 1) != 0 ? float3(0.72f, 0.70f, 0.66f) : float3(0.30f, 0.33f, 0.38f);
        const float fog = saturate(s.position.z / 26.0f);
        return lerp(Lighting::At(s).Diffuse(s), SkyColor(ray.direction), fog * fog);
    }
};

struct MetalMaterial
{
    float3 Shade(Surface s, Ray ray)
    {
        Ray mirror;
        mirror.origin = s.position + s.normal * 0.01f;
        mirror.direction = reflect(ray.direction, s.normal);
        Surface seen;
        float3 light = SkyColor(mirror.direction);
        if (Trace(mirror, seen))
            light = seen.material == MATERIAL_EMISSIVE ? seen.albedo : Lighting::At(seen).Diffuse(seen);
        const float fresnel = pow(1.0f - saturate(dot(s.normal, -ray.direction)), 5.0f);
        return light * lerp(s.albedo, (float3)1.0f, fresnel);
    }
};

struct ToonMaterial
{
    static const float c_bands = 4.0f;

    float3 Shade(Surface s, Ray ray)
    {
        const Lighting l = Lighting::At(s);
        const float band = ceil(l.sunlight * c_bands) / c_bands;
        const float rim = step(0.75f, 1.0f - dot(s.normal, -ray.direction));
        return s.albedo * (0.25f + 0.75f * band) + rim * 0.3f;
    }
};

struct EmissiveMaterial
{
    float3 Shade(Surface s, Ray ray) { return s.albedo * (0.7f + 0.5f * -dot(s.normal, ray.direction)); }
};

template<typename M>
void ShadeTile(TileWork work, uint material, uint thread)
{
    if (thread == 0)
    {
        InterlockedAdd(TilesOfMaterial[material], 1);
        InterlockedAdd(PixelsOfMaterial[material], countbits(work.coverage.x) + countbits(work.coverage.y));
    }
    const uint mask = thread < 32 ? work.coverage.x : work.coverage.y;
    if ((mask & (1u << (thread & 31u))) == 0)
        return;

    const uint2 pixel = uint2(work.tile & 0xffffu, work.tile >> 16) * TILE_SIZE + uint2(thread % TILE_SIZE, thread / TILE_SIZE);
    const Ray ray = CameraRay(pixel);
    PackedSurface packed;
    packed.words = GBuffer[pixel];
    M shader;
    const float3 color = shader.Shade(packed.Unpack(ray), ray) * Frame.exposure;
    Target[pixel] = float4(sqrt(saturate(color)), 1.0f);
}

#define SHADE_NODE(name, index)                                        \
    [Shader("node")]                                                   \
    [NodeLaunch("broadcasting")]                                       \
    [NodeID("Shade", index)]                                           \
    [NodeDispatchGrid(1, 1, 1)]                                        \
    [NumThreads(TILE_SIZE * TILE_SIZE, 1, 1)]                          \
    void Shade##name(DispatchNodeInputRecord<TileWork> input, uint thread : SV_GroupIndex) \
    {                                                                  \
        ShadeTile<name##Material>(input.Get(), index, thread);         \
    }

FOR_EACH_MATERIAL(SHADE_NODE)
