// Shared by the host and the shaders.
#pragma once

#define TERRAIN_SIZE      128   // pixels of the map, a power of two
#define TERRAIN_MIN_PATCH 4
#define TERRAIN_LEVELS    6     // log2(TERRAIN_SIZE / TERRAIN_MIN_PATCH) + 1
#define TERRAIN_BANDS     5

struct TerrainConstants
{
#ifdef __cplusplus
    float heightScale, tolerance, cameraX, cameraY;
    float sun[3], texelSize;
#else
    float heightScale;
    float tolerance;
    float2 camera;
    float3 sun;
    float texelSize;
#endif
};
