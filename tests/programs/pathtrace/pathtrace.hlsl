// A path tracer whose graph is its bounces: every level traces the paths that reach it. It passes them to the node of
// the material that they hit, which sends them to the next level.
//
//   Camera -> Trace0 -> Shade0[4] -> Trace1 -> Shade1[4] -> ... ; a second dispatch develops the film

#ifndef LEVELS
#define LEVELS 3
#endif

#include "scene.hlsli"

RWByteAddressBuffer Film : register(u0);             // three words a pixel, 1/4096 each: sums do not depend on order
RWTexture2D<float4> Picture : register(u1);

void Accumulate(uint pixel, float3 radiance)
{
    const uint3 value = uint3(radiance * 4096.0f + 0.5f);
    Film.InterlockedAdd(pixel * 12 + 0, value.r);
    Film.InterlockedAdd(pixel * 12 + 4, value.g);
    Film.InterlockedAdd(pixel * 12 + 8, value.b);
}

float3 Sky(float3 direction)
{
    return lerp(SkyBottom, SkyTop, smoothstep(-0.2f, 0.8f, direction.y));
}

// ---------------------------------------------------------------------------------------------------------- materials

namespace Lambert
{
    bool Scatter(HitState hit, out PathState next)
    {
        RandomStream random = RandomStream::FromSeed(hit.random);
        next = (PathState)hit;
        next.origin = hit.Position();
        next.direction = normalize(hit.Normal() * 1.001f + OnSphere(random));
        next.throughput *= Spheres[hit.sphere].albedo;
        next.random = random.state;
        return true;
    }
}

namespace Mirror
{
    bool Scatter(HitState hit, out PathState next)
    {
        next = (PathState)hit;
        next.origin = hit.Position();
        next.direction = normalize(reflect(hit.direction, hit.Normal()));
        next.throughput *= Spheres[hit.sphere].albedo;
        return dot(next.direction, hit.Normal()) > 0.0f;
    }
}

namespace Glass
{
    static const float c_index = 1.5f;

    float Schlick(float cosine)
    {
        static const float root = (1.0f - c_index) / (1.0f + c_index);
        static const float r0 = root * root;
        return r0 + (1.0f - r0) * pow(1.0f - cosine, 5.0f);
    }

    bool Scatter(HitState hit, out PathState next)
    {
        RandomStream random = RandomStream::FromSeed(hit.random);
        const float3 outwards = hit.Normal();
        const bool enters = dot(outwards, hit.direction) < 0.0f;
        const float3 normal = enters ? outwards : -outwards;
        const float eta = enters ? 1.0f / c_index : c_index;
        const float3 refracted = refract(hit.direction, normal, eta);
        // refract() is zero where all light is reflected.
        const bool total = all(refracted == 0.0f);
        const float chance = Schlick(saturate(-dot(normal, hit.direction)));
        const bool reflects = total || random.NextFloat() < chance;
        next = (PathState)hit;
        next.origin = hit.Position();
        next.direction = normalize(reflects ? reflect(hit.direction, normal) : refracted);
        next.throughput *= Spheres[hit.sphere].albedo;
        next.random = random.state;
        return true;
    }
}

// ---------------------------------------------------------------------------------------------------------- the graph

struct CameraRecord
{
    uint2 tiles : SV_DispatchGrid;
    float3 eye;
    float zoom;
};

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeIsProgramEntry]
[NodeMaxDispatchGrid(WIDTH / 8, HEIGHT / 8, 1)]
[NumThreads(8, 8, 1)]
void Camera(
    DispatchNodeInputRecord<CameraRecord> input,
    uint2 pixel : SV_DispatchThreadID,
    [MaxRecords(64 * SAMPLES)] [NodeID("Trace0")] NodeOutput<PathState> paths)
{
    ThreadNodeOutputRecords<PathState> records = paths.GetThreadNodeOutputRecords(SAMPLES);
    for (uint s = 0; s < SAMPLES; ++s)
    {
        RandomStream random = RandomStream::FromSeed(Hash(pixel.x, pixel.y, s));
        const float2 inside = random.NextFloat2();
        const float2 ndc = (float2(pixel) + inside) / float2(WIDTH, HEIGHT) * float2(2, -2) + float2(-1, 1);

        PathState path;
        path.origin = input.Get().eye;
        path.direction = normalize(float3(ndc.x * (float(WIDTH) / HEIGHT), ndc.y - 0.12f, input.Get().zoom));
        path.throughput = 1.0f / SAMPLES;
        path.pixel = pixel.y * WIDTH + pixel.x;
        path.random = random.state;
        records.Get(s) = path;
    }
    records.OutputComplete();
}

#define LEVEL 0
#include "level.hlsli"
#define LEVEL 1
#include "level.hlsli"
#define LEVEL 2
#include "level.hlsli"

// ---------------------------------------------------------------------------------------------------------- the film

float3 ToneMap(float3 x)
{
    static const float3x3 mixing = float3x3(0.90f, 0.07f, 0.03f,
                                            0.05f, 0.90f, 0.05f,
                                            0.03f, 0.07f, 0.90f);
    x = mul(mixing, x);
    return pow(saturate(x * (1.0f + x * 0.25f) / (1.0f + x)), 1.0f / 2.2f);
}

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeIsProgramEntry]
[NodeDispatchGrid(WIDTH / 8, HEIGHT / 8, 1)]
[NumThreads(8, 8, 1)]
void Develop(uint2 pixel : SV_DispatchThreadID)
{
    const uint3 sum = Film.Load3((pixel.y * WIDTH + pixel.x) * 12);
    Picture[pixel] = float4(ToneMap(float3(sum) / 4096.0f), 1.0f);
}
