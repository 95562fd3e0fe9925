#ifndef PATHTRACE_SCENE_HLSLI
#define PATHTRACE_SCENE_HLSLI

#include "shared.h"
#include "../common/random.hlsli"

struct Sphere
{
    float4 shape;           // center, radius
    float3 albedo;
    uint material;
};

cbuffer SceneConstants : register(b1, space1)
{
    Sphere Spheres[MAX_SPHERES];
    uint SphereCount;
    float3 SkyTop;
    float3 SkyBottom;
};

struct Ray
{
    float3 origin;
    float3 direction;
};


struct PathState
{
    float3 origin;
    float3 direction;
    float3 throughput;
    uint pixel;
    uint random;
};

struct HitState : PathState
{
    float distance;
    uint sphere;

    float3 Position() { return origin + direction * distance; }
    float3 Normal() { return (Position() - Spheres[sphere].shape.xyz) / Spheres[sphere].shape.w; }
};

static const float c_tooClose = 1e-3f;

bool Closest(PathState path, out float distance, out uint index)
{
    distance = 1e9f;
    index = ~0u;
    for (uint i = 0; i < SphereCount; ++i)
    {
        const float4 shape = Spheres[i].shape;
        const float3 offset = path.origin - shape.xyz;
        const float b = dot(offset, path.direction);
        // The distance from the centre to the ray, without the cancellation of b * b - c for large spheres.
        const float3 across = offset - b * path.direction;
        const float d = shape.w * shape.w - dot(across, across);
        if (d < 0.0f)
            continue;
        const float root = sqrt(d);
        const float t = -b - root > c_tooClose ? -b - root : -b + root;
        if (t > c_tooClose && t < distance)
        {
            distance = t;
            index = i;
        }
    }
    return index != ~0u;
}

// A random unit vector that needs only trigonometry.
float3 OnSphere(inout RandomStream random)
{
    const float z = 1.0f - 2.0f * random.NextFloat();
    const float phi = 6.28318531f * random.NextFloat();
    float s, c;
    sincos(phi, s, c);
    const float r = sqrt(max(0.0f, 1.0f - z * z));
    return float3(r * c, r * s, z);
}

#endif
