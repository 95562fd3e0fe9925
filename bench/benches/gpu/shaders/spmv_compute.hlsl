// Hand-written version: workgroups append to three lists of rows, and each list has an indirect dispatch.

#include "spmv.hlsli"

[[vk::binding(4)]] RWStructuredBuffer<uint> Lists;
[[vk::binding(5)]] RWStructuredBuffer<uint> Counts;
[[vk::binding(6)]] RWStructuredBuffer<uint4> Args;
struct Push { uint rows; uint limit; };
[[vk::push_constant]] Push push;

groupshared uint Own[3];
groupshared uint Base[3];

[Shader("compute")] [NumThreads(1, 1, 1)]
void Clear()
{
    for (uint i = 0; i < 3; i++)
        Counts[i] = 0;
}

[Shader("compute")] [NumThreads(64, 1, 1)]
void Bin(uint3 at : SV_DispatchThreadID, uint thread : SV_GroupIndex)
{
    if (thread < 3)
        Own[thread] = 0;
    GroupMemoryBarrierWithGroupSync();
    uint list = 0, rank = 0;
    if (at.x < push.rows)
    {
        uint length = Rows[at.x + 1] - Rows[at.x];
        list = length < c_short ? 0 : length < c_medium ? 1 : 2;
        InterlockedAdd(Own[list], 1, rank);
    }
    GroupMemoryBarrierWithGroupSync();
    if (thread < 3 && Own[thread] != 0)
        InterlockedAdd(Counts[thread], Own[thread], Base[thread]);
    GroupMemoryBarrierWithGroupSync();
    if (at.x < push.rows)
        Lists[list * push.rows + Base[list] + rank] = at.x;
}

[Shader("compute")] [NumThreads(1, 1, 1)]
void Launch()
{
    for (uint i = 0; i < 3; i++)
    {
        uint groups = i == 0 ? (Counts[0] + 63) / 64 : Counts[i];
        uint rows = max((groups + push.limit - 1) / push.limit, 1);
        Args[i] = uint4((groups + rows - 1) / rows, rows, 1, groups);
    }
}

[Shader("compute")] [NumThreads(64, 1, 1)]
void Short(uint3 at : SV_GroupID, uint thread : SV_GroupIndex)
{
    uint index = (at.y * Args[0].x + at.x) * 64 + thread;
    if (index < Counts[0])
    {
        uint row = Lists[index];
        Out[row] = Sum(Rows[row], Rows[row + 1], 0, 1);
    }
}

[Shader("compute")] [NumThreads(32, 1, 1)]
void Medium(uint3 at : SV_GroupID, uint thread : SV_GroupIndex)
{
    uint index = at.y * Args[1].x + at.x;
    if (index < Counts[1])
    {
        uint row = Lists[push.rows + index];
        Together(row, Rows[row], Rows[row + 1], thread, 32);
    }
}

[Shader("compute")] [NumThreads(256, 1, 1)]
void Long(uint3 at : SV_GroupID, uint thread : SV_GroupIndex)
{
    uint index = at.y * Args[2].x + at.x;
    if (index < Counts[2])
    {
        uint row = Lists[2 * push.rows + index];
        Together(row, Rows[row], Rows[row + 1], thread, 256);
    }
}
