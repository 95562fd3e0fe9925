// The scene that fills the G-buffer: spheres on a plane, in closed form.
#ifndef MATERIALS_SCENE_HLSLI
#define MATERIALS_SCENE_HLSLI

#include "materials.h"

struct Sphere
{
    float3 center;
    float radius;
    float3 albedo;
    uint material;
};

static const Sphere c_spheres[] =
{
    { float3(-2.1f, 1.0f, 0.4f), 1.0f, float3(0.80f, 0.25f, 0.20f), MATERIAL_DIFFUSE },
    { float3(0.2f, 1.3f, 1.3f), 1.3f, float3(0.95f, 0.78f, 0.35f), MATERIAL_METAL },
    { float3(2.3f, 0.9f, -0.2f), 0.9f, float3(0.25f, 0.45f, 0.85f), MATERIAL_TOON },
    { float3(0.6f, 0.4f, -1.5f), 0.4f, float3(0.30f, 1.00f, 0.55f), MATERIAL_EMISSIVE },
    { float3(-0.9f, 0.5f, -1.1f), 0.5f, float3(0.85f, 0.85f, 0.85f), MATERIAL_DIFFUSE },
};
static const uint c_sphereCount = 5;

struct Ray
{
    float3 origin;
    float3 direction;

    float3 At(float t) { return origin + t * direction; }
};

struct Surface
{
    float3 position;
    float3 normal;
    float3 albedo;
    uint material;
};

// Nearest distance in front, or a negative number.
float Intersect(Ray ray, Sphere sphere)
{
    const float3 offset = ray.origin - sphere.center;
    const float b = dot(offset, ray.direction);
    const float c = dot(offset, offset) - sphere.radius * sphere.radius;
    const float d = b * b - c;
    return d < 0.0f ? -1.0f : -b - sqrt(d);
}

float Intersect(Ray ray, float planeHeight)
{
    return ray.direction.y < -1e-4f ? (planeHeight - ray.origin.y) / ray.direction.y : -1.0f;
}

bool Trace(Ray ray, out Surface surface)
{
    surface = (Surface)0;
    surface.material = MATERIAL_SKY;
    float nearest = c_farPlane;

    float t = Intersect(ray, 0.0f);
    if (t > 0.0f && t < nearest)
    {
        nearest = t;
        surface.position = ray.At(t);
        surface.normal = float3(0.0f, 1.0f, 0.0f);
        surface.albedo = 0.5f;
        surface.material = MATERIAL_CHECKER;
    }
    [loop]
    for (uint i = 0; i < c_sphereCount; ++i)
    {
        const Sphere sphere = c_spheres[i];
        t = Intersect(ray, sphere);
        if (t > 0.0f && t < nearest)
        {
            nearest = t;
            surface.position = ray.At(t);
            surface.normal = (surface.position - sphere.center) / sphere.radius;
            surface.albedo = sphere.albedo;
            surface.material = sphere.material;
        }
    }
    return nearest < c_farPlane;
}

bool Occluded(Ray ray)
{
    for (uint i = 0; i < c_sphereCount; ++i)
    {
        if (c_spheres[i].material != MATERIAL_EMISSIVE && Intersect(ray, c_spheres[i]) > 0.0f)
            return true;
    }
    return false;
}

#endif
