// Hand-written version: one workgroup computes a prefix sum of the grids. The dispatch then has exactly as many workgroups as
// the grids, and each searches for its record.

[[vk::binding(0)]] RWStructuredBuffer<uint> Out;
// First workgroup of each record, then the total.
[[vk::binding(1)]] RWStructuredBuffer<uint> First;
[[vk::binding(2)]] RWStructuredBuffer<uint4> Args;
struct Push { uint count; };
[[vk::push_constant]] Push push;

#include "outlier.hlsli"

groupshared uint Sums[1024];

[Shader("compute")] [NumThreads(1024, 1, 1)]
void Prefix(uint thread : SV_GroupIndex)
{
    uint each = (push.count + 1023) / 1024, own = 0;
    for (uint i = 0; i < each; i++)
    {
        uint id = thread * each + i;
        uint2 grid = id < push.count ? Grid(id) : uint2(0, 0);
        own += grid.x * grid.y;
    }
    Sums[thread] = own;
    GroupMemoryBarrierWithGroupSync();
    for (uint step = 1; step < 1024; step *= 2)
    {
        uint below = thread >= step ? Sums[thread - step] : 0;
        GroupMemoryBarrierWithGroupSync();
        Sums[thread] += below;
        GroupMemoryBarrierWithGroupSync();
    }
    uint at = Sums[thread] - own;
    for (uint j = 0; j < each; j++)
    {
        uint id = thread * each + j;
        if (id < push.count)
        {
            First[id] = at;
            uint2 grid = Grid(id);
            at += grid.x * grid.y;
        }
    }
    if (thread == 1023)
        Args[0] = uint4(min(Sums[1023], 65535), (Sums[1023] + 65534) / 65535, 1, Sums[1023]);
}

[Shader("compute")] [NumThreads(64, 1, 1)]
void Work(uint3 at : SV_GroupID, uint thread : SV_GroupIndex)
{
    uint group = at.y * 65535 + at.x;
    if (group >= Args[0].w)
        return;
    uint first = 0, last = push.count;
    while (last - first > 1)
    {
        uint middle = (first + last) / 2;
        if (First[middle] <= group)
            first = middle;
        else
            last = middle;
    }
    uint local = group - First[first], width = Grid(first).x;
    Add(first, uint2(local % width, local / width), thread);
}
