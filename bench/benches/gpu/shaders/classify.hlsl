// Pixels to a node for each of a hundred materials.

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
        Out[input.Get().pixel] = Shade(input.Get());                                            \
    }
#define TEN(N) SHADING(N##0) SHADING(N##1) SHADING(N##2) SHADING(N##3) SHADING(N##4) \
    SHADING(N##5) SHADING(N##6) SHADING(N##7) SHADING(N##8) SHADING(N##9)
SHADING(0) SHADING(1) SHADING(2) SHADING(3) SHADING(4) SHADING(5) SHADING(6) SHADING(7) SHADING(8) SHADING(9)
TEN(1) TEN(2) TEN(3) TEN(4) TEN(5) TEN(6) TEN(7) TEN(8) TEN(9)
