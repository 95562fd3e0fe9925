// Shared by the host and the shaders.
#ifndef MATERIALS_H
#define MATERIALS_H

// X(name, index)
#define FOR_EACH_MATERIAL(X) \
    X(Sky, 0)                \
    X(Diffuse, 1)            \
    X(Checker, 2)            \
    X(Metal, 3)              \
    X(Toon, 4)               \
    X(Emissive, 5)

#define MATERIAL_SKY      0
#define MATERIAL_DIFFUSE  1
#define MATERIAL_CHECKER  2
#define MATERIAL_METAL    3
#define MATERIAL_TOON     4
#define MATERIAL_EMISSIVE 5
#define MATERIAL_COUNT    6

#define TILE_SIZE 8

#ifdef __cplusplus
struct FrameConstants
{
    float eye[3], aspect, sun[3], exposure;
    unsigned size[2], padding[2];
};
#else
struct FrameConstants
{
    float3 eye;
    float aspect;
    float3 sun; // towards it, not normalised
    float exposure;
    uint2 size;
    uint2 padding;
};
static const float c_farPlane = 40.0f;
#endif

#endif // MATERIALS_H
