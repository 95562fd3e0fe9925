// A quad tree over a height map: patches are split while the heights in them vary too much for their distance. The others
// are drawn as a shaded map with the patches' borders on it.
//
//   Subdivide (recursive) -> DrawPatch

#include "terrain.h"

[[vk::push_constant]] ConstantBuffer<TerrainConstants> g;
Texture2D<float> HeightMap : register(t0);
SamplerState LinearClamp : register(s0);
RWTexture2D<unorm float4> Map : register(u1);
RWStructuredBuffer<uint> PatchesOfLevel : register(u2);

struct Patch
{
    uint2 grid : SV_DispatchGrid;    // groups of 8x8 that cover it
    uint16_t2 origin;
    uint16_t size;
    uint16_t level;
};

struct Quad
{
    uint16_t2 origin;
    uint16_t size;
    uint16_t level;

    Quad Child(uint which)
    {
        Quad c;
        c.size = size / 2;
        c.level = uint16_t(level + 1);
        c.origin = origin + uint16_t2(which & 1, which >> 1) * c.size;
        return c;
    }
};

// --------------------------------------------------------------------------------------------------------- heights

namespace Height
{
    float At(int2 texel)
    {
        return HeightMap.Load(int3(clamp(texel, 0, TERRAIN_SIZE - 1), 0)) * g.heightScale;
    }

    // Central differences; the sampler filters between the texels.
    float3 Normal(float2 uv)
    {
        const float2 dx = float2(g.texelSize, 0.0f);
        const float2 dy = dx.yx;
        const float slopeX = HeightMap.SampleLevel(LinearClamp, uv + dx, 0) - HeightMap.SampleLevel(LinearClamp, uv - dx, 0);
        const float slopeY = HeightMap.SampleLevel(LinearClamp, uv + dy, 0) - HeightMap.SampleLevel(LinearClamp, uv - dy, 0);
        return normalize(float3(-0.5f * g.heightScale * float2(slopeX, slopeY), 1.0f));
    }
}

struct Interval
{
    uint low, high; // heights as bits: they are not negative, so their bits order as they do

    float Extent() { return asfloat(high) - asfloat(low); }
};

groupshared Interval g_interval;

// The lowest and the highest point of a quad, by all 64 threads of a group.
Interval MeasureQuad(Quad quad, uint thread)
{
    if (thread == 0)
    {
        g_interval.low = 0x7f800000u;
        g_interval.high = 0u;
    }
    GroupMemoryBarrierWithGroupSync();

    float low = 1.#INF, high = 0.0f;
    const uint area = uint(quad.size) * quad.size;
    for (uint i = thread; i < area; i += 64)
    {
        const float h = Height::At(int2(quad.origin) + int2(i % quad.size, i / quad.size));
        low = min(low, h);
        high = max(high, h);
    }
    const float waveLow = WaveActiveMin(low);
    const float waveHigh = WaveActiveMax(high);
    if (WaveIsFirstLane())
    {
        InterlockedMin(g_interval.low, asuint(waveLow));
        InterlockedMax(g_interval.high, asuint(waveHigh));
    }
    GroupMemoryBarrierWithGroupSync();
    return g_interval;
}

bool NeedsSplit(Quad quad, Interval heights)
{
    if (quad.size <= TERRAIN_MIN_PATCH)
        return false;
    const float2 center = float2(quad.origin) + 0.5f * float(quad.size);
    const float away = distance(center, g.camera);
    return heights.Extent() * float(quad.size) > g.tolerance * (away * away / 32.0f + 8.0f);
}

// --------------------------------------------------------------------------------------------------------- nodes

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeIsProgramEntry]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(64, 1, 1)]
[NodeMaxRecursionDepth(TERRAIN_LEVELS)]
void Subdivide(
    DispatchNodeInputRecord<Quad> input,
    uint thread : SV_GroupIndex,
    [MaxRecords(4)] [NodeID("Subdivide")] NodeOutput<Quad> children,
    [MaxRecordsSharedWith(children)] [NodeID("DrawPatch")] NodeOutput<Patch> leaves)
{
    const Quad quad = input.Get();
    const bool split = NeedsSplit(quad, MeasureQuad(quad, thread)) && GetRemainingRecursionLevels() > 0;

    GroupNodeOutputRecords<Quad> quads = children.GetGroupNodeOutputRecords(split ? 4 : 0);
    if (split && thread < 4)
        quads[thread] = quad.Child(thread);
    quads.OutputComplete();

    GroupNodeOutputRecords<Patch> patches = leaves.GetGroupNodeOutputRecords(split ? 0 : 1);
    if (!split && thread == 0)
    {
        patches.Get().grid = max(uint(quad.size) / 8, 1u).xx;
        patches.Get().origin = quad.origin;
        patches.Get().size = quad.size;
        patches.Get().level = quad.level;
        InterlockedAdd(PatchesOfLevel[quad.level], 1);
    }
    patches.OutputComplete();
}

static const float4 c_bands[TERRAIN_BANDS] =       // colour, and the height that it ends at
{
    float4(0.16f, 0.33f, 0.52f, 0.30f),
    float4(0.80f, 0.74f, 0.52f, 0.36f),
    float4(0.33f, 0.55f, 0.27f, 0.58f),
    float4(0.46f, 0.40f, 0.34f, 0.76f),
    float4(0.95f, 0.96f, 0.98f, 9.00f),
};

float3 Colour(float height01)
{
    uint band = 0;
    while (height01 > c_bands[band].w)
        ++band;
    return c_bands[band].rgb;
}

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeMaxDispatchGrid(TERRAIN_SIZE / 8, TERRAIN_SIZE / 8, 1)]
[NumThreads(8, 8, 1)]
void DrawPatch(DispatchNodeInputRecord<Patch> input, uint2 local : SV_DispatchThreadID)
{
    const Patch patch = input.Get();
    if (any(local >= uint(patch.size)))
        return;

    const uint2 texel = uint2(patch.origin) + local;
    const float2 uv = (float2(texel) + 0.5f) / TERRAIN_SIZE;
    const float height = HeightMap.SampleLevel(LinearClamp, uv, 0.0f);
    const bool water = height <= c_bands[0].w;
    const float3 normal = water ? float3(0, 0, 1) : Height::Normal(uv);

    float3 color = Colour(height);
    color *= 0.35f + 0.75f * saturate(dot(normal, normalize(g.sun)));
    if (any(local == 0))
        color = lerp(color, patch.level >= 4 ? float3(0.9f, 0.2f, 0.1f) : (float3)0.0f, 0.35f);
    Map[texel] = float4(color, 1.0f);
}
