// A rasteriser: a workgroup for each tile that a triangle's bounding box touches.

[[vk::binding(0)]] RWStructuredBuffer<uint> Out;
#include "raster.hlsli"

// A grid has at most 65,535 workgroups in one direction.
struct Batch { uint2 groups : SV_DispatchGrid; uint count; };
struct Piece { uint2 tiles : SV_DispatchGrid; uint2 first; uint id; };

[Shader("node")] [NodeLaunch("broadcasting")] [NodeIsProgramEntry]
[NodeMaxDispatchGrid(GROUPS_X, GROUPS_Y, 1)] [NumThreads(64, 1, 1)]
void Setup(DispatchNodeInputRecord<Batch> input, uint3 group : SV_GroupID, uint thread : SV_GroupIndex,
    [MaxRecords(64)] NodeOutput<Piece> Tiles)
{
    uint id = (group.y * GROUPS_X + group.x) * 64 + thread;
    uint2 first = 0, tiles = 0;
    if (id < input.Get().count)
        Box(Made(id), first, tiles);
    bool some = tiles.x * tiles.y != 0;
    ThreadNodeOutputRecords<Piece> piece = Tiles.GetThreadNodeOutputRecords(some ? 1 : 0);
    if (some)
    {
        piece.Get().tiles = tiles;
        piece.Get().first = first;
        piece.Get().id = id;
    }
    piece.OutputComplete();
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(40, 40, 1)] [NumThreads(8, 8, 1)]
void Tiles(DispatchNodeInputRecord<Piece> input, uint3 group : SV_GroupID, uint3 thread : SV_GroupThreadID)
{
    Draw(Made(input.Get().id), input.Get().id, (input.Get().first + group.xy) * 8 + thread.xy);
}
