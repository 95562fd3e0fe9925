// Hand-written version: a workgroup allocates space for all results of its record with one atomic.

#include "spread.hlsli"

[[vk::binding(0)]] RWStructuredBuffer<uint> Out;
[[vk::binding(1)]] RWStructuredBuffer<Part> Parts;
[[vk::binding(2)]] RWStructuredBuffer<uint> Total;
[[vk::binding(3)]] RWStructuredBuffer<uint4> Args;
struct Push { uint limit; };
[[vk::push_constant]] Push push;

groupshared uint Base;

[Shader("compute")] [NumThreads(1, 1, 1)]
void Clear()
{
    Total[0] = 0;
}

[Shader("compute")] [NumThreads(THREADS, 1, 1)]
void Spread(uint3 group : SV_GroupID, uint thread : SV_GroupIndex)
{
    uint count = Count(group.x);
    if (thread == 0)
        InterlockedAdd(Total[0], count, Base);
    GroupMemoryBarrierWithGroupSync();
    for (uint i = thread; i < count; i += THREADS)
        Parts[Base + i] = Made(group.x, i);
}

[Shader("compute")] [NumThreads(1, 1, 1)]
void Launch()
{
    uint groups = (Total[0] + 63) / 64;
    uint rows = max((groups + push.limit - 1) / push.limit, 1);
    Args[0] = uint4((groups + rows - 1) / rows, rows, 1, groups);
}

[Shader("compute")] [NumThreads(64, 1, 1)]
void Take(uint3 group : SV_GroupID, uint thread : SV_GroupIndex)
{
    uint at = (group.y * Args[0].x + group.x) * 64 + thread;
    if (at < Total[0])
        Out[Place(Parts[at])] = Value(Parts[at]);
}
