// Sends each pixel to the node of its material, one of a hundred.

#include "classify.hlsli"

[[vk::binding(0)]] RWStructuredBuffer<uint> Out;

struct Screen { uint2 tiles : SV_DispatchGrid; };

[Shader("node")] [NodeLaunch("broadcasting")] [NodeIsProgramEntry]
[NodeMaxDispatchGrid(TILES_X, TILES_Y, 1)] [NumThreads(8, 8, 1)]
void Classify(DispatchNodeInputRecord<Screen> input, uint3 at : SV_DispatchThreadID,
    [MaxRecords(64)] [NodeArraySize(100)] NodeOutputArray<Payload> Shading)
{
    uint width = input.Get().tiles.x * 8;
    uint pixel = at.y * width + at.x;
    uint material = Material(pixel, width);
    ThreadNodeOutputRecords<Payload> made = Shading[material].GetThreadNodeOutputRecords(1);
    made.Get() = Made(pixel, material);
    made.OutputComplete();
}

#define SHADING(N)                                                                              \
    [Shader("node")] [NodeLaunch("thread")] [NodeID("Shading", N)]                              \
    void Shading##N(ThreadNodeInputRecord<Payload> input)                                       \
    {                                                                                           \
        Out[input.Get().pixel] = Shade(input.Get(), N);                                         \
    }
ALL_MATERIALS(SHADING)
