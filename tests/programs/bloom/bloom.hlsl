// Bloom: a bright-pass pyramid is built in one pass over tiles, and is added up again from its smallest level. It is laid
// over the frame with an exposure from the frame's mean brightness.
//
//   Begin -> Downsample (the last group goes on) -> Upsample (recursive, the last group of each level goes on) -> Composite

#define MIPS        3
#define TILE        32
#define HALF_TILE   (TILE / 2)
#define MAX_WIDTH   128
#define MAX_HEIGHT  96
#define LUMA_UNIT   1024.0

cbuffer PostProcess : register(b0, space0)
{
    uint2 FrameSize;
    float Threshold;
    float Knee;
    float Intensity;
    float KeyValue;
    row_major float3x3 ColorTransform;
};

Texture2D<float4> Frame : register(t0);
SamplerState BilinearClamp : register(s0);
globallycoherent RWTexture2D<float4> Pyramid[MIPS] : register(u0);
RWTexture2D<float4> Output : register(u4);
globallycoherent RWStructuredBuffer<uint> LumaSum : register(u5);

struct FrameRequest
{
    uint id;
};

struct [NodeTrackRWInputSharing] LevelRecord
{
    uint2 groups : SV_DispatchGrid;
    uint level;
};

struct CompositeRecord
{
    uint2 groups : SV_DispatchGrid;
};

uint2 SizeOf(uint level)
{
    return FrameSize >> (level + 1);
}

float Luma(float3 color)
{
    return dot(color, float3(0.2126, 0.7152, 0.0722));
}

// Soft knee: nothing below the threshold, a parabola around it.
float3 Prefilter(float3 color)
{
    const float brightness = max(color.r, max(color.g, color.b));
    float soft = clamp(brightness - Threshold + Knee, 0.0, 2.0 * Knee);
    soft = soft * soft / (4.0 * Knee + 1e-5);
    return color * max(soft, brightness - Threshold) / max(brightness, 1e-5);
}

[Shader("node")]
[NodeLaunch("thread")]
[NodeIsProgramEntry]
void Begin(ThreadNodeInputRecord<FrameRequest> input, [MaxRecords(1)] NodeOutput<LevelRecord> Downsample)
{
    LumaSum[input.Get().id] = 0;
    Barrier(UAV_MEMORY, DEVICE_SCOPE);
    ThreadNodeOutputRecords<LevelRecord> work = Downsample.GetThreadNodeOutputRecords(1);
    work.Get().groups = (FrameSize + TILE - 1) / TILE;
    work.Get().level = 0;
    work.OutputComplete();
}

// ------------------------------------------------------------------------------------------------------------- down

groupshared float3 g_tile[HALF_TILE][HALF_TILE];
groupshared uint g_luma;

void StoreLevel(uint level, uint2 at, float3 color)
{
    if (all(at < SizeOf(level)))
        Pyramid[level][at] = float4(color, 1.0);
}

// Halves the contents of the tile: `size` is the side of the result.
void Reduce(uint level, uint size, uint2 thread, uint2 group)
{
    const bool active = all(thread < size);
    float3 color = 0;
    if (active)
    {
        const uint2 from = thread * 2;
        color = 0.25 * (g_tile[from.y][from.x] + g_tile[from.y][from.x + 1] + g_tile[from.y + 1][from.x] +
                        g_tile[from.y + 1][from.x + 1]);
        StoreLevel(level, group * size + thread, color);
    }
    GroupMemoryBarrierWithGroupSync();
    if (active)
        g_tile[thread.y][thread.x] = color;
    GroupMemoryBarrierWithGroupSync();
}

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeMaxDispatchGrid(MAX_WIDTH / TILE, MAX_HEIGHT / TILE, 1)]
[NumThreads(8, 8, 1)]
void Downsample(
    RWDispatchNodeInputRecord<LevelRecord> input,
    uint2 group : SV_GroupID,
    uint2 thread : SV_GroupThreadID,
    uint index : SV_GroupIndex,
    [MaxRecords(1)] NodeOutput<LevelRecord> Upsample)
{
    if (index == 0)
        g_luma = 0;
    GroupMemoryBarrierWithGroupSync();

    // Four texels of the first level a thread, each the mean of four texels of the frame, which the sampler takes.
    uint luma = 0;
    [unroll]
    for (uint quadrant = 0; quadrant < 4; ++quadrant)
    {
        const uint2 local = thread * 2 + uint2(quadrant & 1, quadrant >> 1);
        const uint2 at = group * HALF_TILE + local;
        const float2 uv = (float2(at) + 0.5) / float2(SizeOf(0));
        const float3 mean = Frame.SampleLevel(BilinearClamp, uv, 0).rgb;
        const float3 bright = Prefilter(mean);
        g_tile[local.y][local.x] = bright;
        StoreLevel(0, at, bright);
        if (all(at < SizeOf(0)))
            luma += uint(Luma(mean) * LUMA_UNIT + 0.5);
    }
    const uint waveLuma = WaveActiveSum(luma);
    if (WaveIsFirstLane())
        InterlockedAdd(g_luma, waveLuma);
    GroupMemoryBarrierWithGroupSync();
    if (index == 0)
        InterlockedAdd(LumaSum[0], g_luma);

    Reduce(1, HALF_TILE / 2, thread, group);
    Reduce(2, HALF_TILE / 4, thread, group);

    Barrier(UAV_MEMORY, DEVICE_SCOPE | GROUP_SYNC);
    const bool last = input.FinishedCrossGroupSharing();
    GroupNodeOutputRecords<LevelRecord> next = Upsample.GetGroupNodeOutputRecords(last ? 1 : 0);
    if (last && index == 0)
    {
        next.Get().level = MIPS - 2;
        next.Get().groups = (SizeOf(MIPS - 2) + 7) / 8;
    }
    next.OutputComplete();
}

// ------------------------------------------------------------------------------------------------------------- up

// A level seen through a tent of 3 x 3 texels.
float3 Tent(uint level, int2 center)
{
    static const float weights[3] = { 0.25, 0.5, 0.25 };
    const int2 limit = int2(SizeOf(level)) - 1;
    float3 sum = 0;
    for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x)
            sum += weights[y + 1] * weights[x + 1] * Pyramid[level][clamp(center + int2(x, y), 0, limit)].rgb;
    return sum;
}

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeMaxDispatchGrid(MAX_WIDTH / 16, MAX_HEIGHT / 16, 1)]
[NodeMaxRecursionDepth(MIPS - 1)]
[NumThreads(8, 8, 1)]
void Upsample(
    RWDispatchNodeInputRecord<LevelRecord> input,
    uint2 at : SV_DispatchThreadID,
    uint index : SV_GroupIndex,
    [MaxRecords(1)] [NodeID("Upsample")] NodeOutput<LevelRecord> larger,
    [MaxRecords(1)] [NodeID("Composite")] NodeOutput<CompositeRecord> composite)
{
    const uint level = input.Get().level;
    if (all(at < SizeOf(level)))
        Pyramid[level][at] += float4(Tent(level + 1, int2(at / 2)), 0);

    Barrier(UAV_MEMORY, DEVICE_SCOPE | GROUP_SYNC);
    const bool last = input.FinishedCrossGroupSharing();
    const bool top = level == 0;

    GroupNodeOutputRecords<LevelRecord> next = larger.GetGroupNodeOutputRecords(last && !top ? 1 : 0);
    if (last && !top && index == 0)
    {
        LevelRecord record = { (SizeOf(level - 1) + 7) / 8, level - 1 };
        next.Get() = record;
    }
    next.OutputComplete();

    GroupNodeOutputRecords<CompositeRecord> done = composite.GetGroupNodeOutputRecords(last && top ? 1 : 0);
    if (last && top && index == 0)
        done.Get().groups = (FrameSize + 7) / 8;
    done.OutputComplete();
}

// ------------------------------------------------------------------------------------------------------------- frame

// The usual fit of a filmic curve.
float3 Filmic(float3 x)
{
    const float a = 2.51, b = 0.03, c = 2.43, d = 0.59, e = 0.14;
    return saturate((x * (a * x + b)) / (x * (c * x + d) + e));
}

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeMaxDispatchGrid(MAX_WIDTH / 8, MAX_HEIGHT / 8, 1)]
[NumThreads(8, 8, 1)]
void Composite(DispatchNodeInputRecord<CompositeRecord> input, uint2 at : SV_DispatchThreadID)
{
    uint2 size;
    Frame.GetDimensions(size.x, size.y);
    if (any(at >= size))
        return;

    const float mean = float(LumaSum[0]) / (LUMA_UNIT * SizeOf(0).x * SizeOf(0).y);
    const float exposure = KeyValue / max(mean, 1e-3);
    float3 color = Frame[at].rgb + Intensity * Tent(0, int2(at / 2));
    color = Filmic(mul(ColorTransform, color * exposure));
    Output[at] = float4(pow(color, (float3)(1.0 / 2.2)), 1.0);
}
