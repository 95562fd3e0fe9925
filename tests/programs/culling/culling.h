// Shared by the host and the shaders.
#ifndef CULLING_H
#define CULLING_H

#ifdef __cplusplus
#include <cstdint>
#define CONSTANT static constexpr uint32_t
#else
#define CONSTANT static const uint
#endif

CONSTANT kMaxChildren = 4;
CONSTANT kMaxDepth = 6;
CONSTANT kLodCount = 4;
CONSTANT kTraversers = 8;
CONSTANT kCoalesced = 32;
CONSTANT kNoMesh = 0xffffffffu;

#undef CONSTANT

#ifndef __cplusplus

cbuffer View : register(b0)
{
    row_major float4x4 ViewProjection;
    float3 Eye;
    float LodScale;           // viewport height / (2 tan(fov / 2))
    float4 LodPixels;         // radius in pixels from which level i is used
}

#endif
#endif
