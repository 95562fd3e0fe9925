// Hand-written version: a dispatch for each level, lists of the squares that each level fills, and the pixels at the end.
// The counter of a list is part of the arguments of the dispatch that reads it.

#include "quadtree.hlsli"

struct Square { uint2 at; uint value; };

[[vk::binding(0)]] RWStructuredBuffer<uint> Out;
[[vk::binding(1)]] RWStructuredBuffer<Square> Squares;
[[vk::binding(2)]] RWStructuredBuffer<Square> Filled;
[[vk::binding(3)]] RWStructuredBuffer<Square> Rest;
// For each level: its squares, and those that are filled; after all levels the rest. One workgroup on Y for each.
[[vk::binding(4)]] RWStructuredBuffer<uint4> Args;
struct Push { uint level; uint first; uint room; };
[[vk::push_constant]] Push push;

groupshared uint Base;

[Shader("compute")] [NumThreads(32, 1, 1)]
void Clear(uint thread : SV_GroupIndex)
{
    if (thread < LEVELS)
    {
        uint tiles = (c_least << (LEVELS - 1 - thread)) / 8;
        Args[thread * 2] = uint4(1, thread == 0 ? push.first : 0, 1, 0);
        Args[thread * 2 + 1] = uint4(tiles * tiles, 0, 1, 0);
    }
    if (thread == LEVELS)
        Args[thread * 2] = uint4(4, 0, 1, 0);
}

// The squares of a level begin at index level * room.
[Shader("compute")] [NumThreads(64, 1, 1)]
void Level(uint3 group : SV_GroupID, uint thread : SV_GroupIndex)
{
    uint size = c_least << (LEVELS - 1 - push.level);
    uint2 at;
    if (push.level == 0)
        at = uint2(group.y % (WIDTH / size), group.y / (WIDTH / size)) * size;
    else
        at = Squares[push.level * push.room + group.y].at;
    uint value = Border(at, size, thread);
    bool last = push.level == LEVELS - 1;
    if (thread == 0)
    {
        if (value != c_mixed)
            InterlockedAdd(Args[push.level * 2 + 1].y, 1, Base);
        else if (last)
            InterlockedAdd(Args[LEVELS * 2].y, 1, Base);
        else
            InterlockedAdd(Args[push.level * 2 + 2].y, 4, Base);
    }
    GroupMemoryBarrierWithGroupSync();
    Square square = { at, value };
    if (value != c_mixed)
    {
        if (thread == 0)
            Filled[push.level * push.room + Base] = square;
    }
    else if (last)
    {
        if (thread == 0)
            Rest[Base] = square;
    }
    else if (thread < 4)
    {
        square.at = at + uint2(thread & 1, thread >> 1) * (size / 2);
        Squares[(push.level + 1) * push.room + Base + thread] = square;
    }
}

[Shader("compute")] [NumThreads(8, 8, 1)]
void Fill(uint3 group : SV_GroupID, uint3 thread : SV_GroupThreadID)
{
    uint tiles = (c_least << (LEVELS - 1 - push.level)) / 8;
    Square square = Filled[push.level * push.room + group.y];
    Out[Place(square.at + uint2(group.x % tiles, group.x / tiles) * 8 + thread.xy)] = square.value;
}

[Shader("compute")] [NumThreads(8, 8, 1)]
void Pixels(uint3 group : SV_GroupID, uint3 thread : SV_GroupThreadID)
{
    uint2 pixel = Rest[group.y].at + uint2(group.x & 1, group.x >> 1) * 8 + thread.xy;
    Out[Place(pixel)] = Turns(pixel);
}
