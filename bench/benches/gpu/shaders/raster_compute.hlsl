// Hand-written rasteriser: blocks append pieces and a prefix of their tiles with one 64-bit atomic. Then there are exactly as
// many workgroups as tiles, and each searches for its piece.

[[vk::binding(0)]] RWStructuredBuffer<uint> Out;
#include "raster.hlsli"

struct Piece { uint start; uint id; uint2 first; uint2 tiles; };
[[vk::binding(1)]] RWStructuredBuffer<Piece> Pieces;
// Pieces << 40 | tiles.
[[vk::binding(2)]] RWByteAddressBuffer Total;
[[vk::binding(3)]] RWStructuredBuffer<uint4> Args;
struct Push { uint count; uint limit; };
[[vk::push_constant]] Push push;

groupshared uint TileSums[64];
groupshared uint PieceSums[64];
groupshared uint64_t Base;

[Shader("compute")] [NumThreads(1, 1, 1)]
void Clear()
{
    Total.Store<uint64_t>(0, 0);
}

[Shader("compute")] [NumThreads(64, 1, 1)]
void Setup(uint3 at : SV_DispatchThreadID, uint thread : SV_GroupIndex)
{
    uint2 first = 0, tiles = 0;
    if (at.x < push.count)
        Box(Made(at.x), first, tiles);
    uint own = tiles.x * tiles.y;
    TileSums[thread] = own;
    PieceSums[thread] = own != 0 ? 1 : 0;
    GroupMemoryBarrierWithGroupSync();
    for (uint step = 1; step < 64; step *= 2)
    {
        uint a = thread >= step ? TileSums[thread - step] : 0;
        uint b = thread >= step ? PieceSums[thread - step] : 0;
        GroupMemoryBarrierWithGroupSync();
        TileSums[thread] += a;
        PieceSums[thread] += b;
        GroupMemoryBarrierWithGroupSync();
    }
    if (thread == 63)
    {
        uint64_t base;
        Total.InterlockedAdd64(0, (uint64_t)PieceSums[63] << 40 | TileSums[63], base);
        Base = base;
    }
    GroupMemoryBarrierWithGroupSync();
    if (own != 0)
    {
        Piece piece;
        piece.start = (uint)(Base & 0xffffffff) + TileSums[thread] - own;
        piece.id = at.x;
        piece.first = first;
        piece.tiles = tiles;
        Pieces[(uint)(Base >> 40) + PieceSums[thread] - 1] = piece;
    }
}

[Shader("compute")] [NumThreads(1, 1, 1)]
void Launch()
{
    uint tiles = (uint)Total.Load<uint64_t>(0);
    uint rows = max((tiles + push.limit - 1) / push.limit, 1);
    Args[0] = uint4((tiles + rows - 1) / rows, rows, 1, tiles);
}

[Shader("compute")] [NumThreads(8, 8, 1)]
void Tiles(uint3 at : SV_GroupID, uint3 thread : SV_GroupThreadID)
{
    uint4 args = Args[0];
    uint group = at.y * args.x + at.x;
    if (group >= args.w)
        return;
    uint first = 0, last = (uint)(Total.Load<uint64_t>(0) >> 40);
    while (last - first > 1)
    {
        uint middle = (first + last) / 2;
        if (Pieces[middle].start <= group)
            first = middle;
        else
            last = middle;
    }
    Piece piece = Pieces[first];
    uint local = group - piece.start;
    uint2 tile = piece.first + uint2(local % piece.tiles.x, local / piece.tiles.x);
    Draw(Made(piece.id), piece.id, tile * 8 + thread.xy);
}
