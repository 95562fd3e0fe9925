// Hand-written version: workgroups or waves append to a list, and each consumer is a dispatch over it.

#include "hot.hlsli"

[[vk::binding(0)]] RWStructuredBuffer<uint> Out;
[[vk::binding(1)]] RWStructuredBuffer<Item> Items;
[[vk::binding(2)]] RWStructuredBuffer<uint> Total;
[[vk::binding(3)]] RWStructuredBuffer<uint4> Args;
struct Push { uint count; uint limit; };
[[vk::push_constant]] Push push;

groupshared uint Own;
groupshared uint Base;

[Shader("compute")] [NumThreads(1, 1, 1)]
void Clear()
{
    Total[0] = 0;
}

[Shader("compute")] [NumThreads(64, 1, 1)]
void Send(uint3 at : SV_DispatchThreadID, uint thread : SV_GroupIndex)
{
    if (thread == 0)
        Own = 0;
    GroupMemoryBarrierWithGroupSync();
    bool some = at.x < push.count && Sends(at.x);
    uint rank = 0;
    if (some)
        InterlockedAdd(Own, 1, rank);
    GroupMemoryBarrierWithGroupSync();
    if (thread == 0 && Own != 0)
        InterlockedAdd(Total[0], Own, Base);
    GroupMemoryBarrierWithGroupSync();
    if (some)
        Items[Base + rank] = Made(at.x);
}

[Shader("compute")] [NumThreads(64, 1, 1)]
void SendByWaves(uint3 at : SV_DispatchThreadID)
{
    bool some = at.x < push.count && Sends(at.x);
    uint count = WaveActiveCountBits(some), rank = WavePrefixCountBits(some), base = 0;
    if (WaveIsFirstLane() && count != 0)
        InterlockedAdd(Total[0], count, base);
    base = WaveReadLaneFirst(base);
    if (some)
        Items[base + rank] = Made(at.x);
}

[Shader("compute")] [NumThreads(1, 1, 1)]
void Launch()
{
    uint groups = (Total[0] + 63) / 64;
    uint rows = max((groups + push.limit - 1) / push.limit, 1);
    Args[0] = uint4((groups + rows - 1) / rows, rows, 1, groups);
}

#define TAKE(n)                                                                                 \
    [Shader("compute")] [NumThreads(64, 1, 1)]                                                  \
    void Take##n(uint3 group : SV_GroupID, uint thread : SV_GroupIndex)                         \
    {                                                                                           \
        uint at = (group.y * Args[0].x + group.x) * 64 + thread;                                \
        if (at < Total[0])                                                                      \
            Out[Items[at].id * TAKERS + n] = Value(Items[at], n);                               \
    }
TAKE(0)
#if TAKERS == 4
TAKE(1)
TAKE(2)
TAKE(3)
#endif
