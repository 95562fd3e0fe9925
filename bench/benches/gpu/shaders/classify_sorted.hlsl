// Classification with hand-written dispatches: count, prefix, scatter, and an indirect dispatch for each material.

#include "classify.hlsli"

[[vk::binding(0)]] RWStructuredBuffer<uint> Out;
[[vk::binding(1)]] RWStructuredBuffer<Payload> Sorted;
// For each material: number of pixels, first index, next index.
[[vk::binding(2)]] RWStructuredBuffer<uint> Counts;
[[vk::binding(3)]] RWStructuredBuffer<uint> First;
[[vk::binding(4)]] RWStructuredBuffer<uint> Next;
[[vk::binding(5)]] RWStructuredBuffer<uint4> Args;
struct Push { uint width; uint material; };
[[vk::push_constant]] Push push;

groupshared uint Bins[c_materials];
groupshared uint Places[c_materials];

[Shader("compute")] [NumThreads(128, 1, 1)]
void Clear(uint thread : SV_GroupIndex)
{
    if (thread < c_materials)
        Counts[thread] = 0;
}

[Shader("compute")] [NumThreads(8, 8, 1)]
void Count(uint3 at : SV_DispatchThreadID, uint thread : SV_GroupIndex)
{
    for (uint i = thread; i < c_materials; i += 64)
        Bins[i] = 0;
    GroupMemoryBarrierWithGroupSync();
    InterlockedAdd(Bins[Material(at.y * push.width + at.x, push.width)], 1);
    GroupMemoryBarrierWithGroupSync();
    for (uint bin = thread; bin < c_materials; bin += 64)
        if (Bins[bin] != 0)
            InterlockedAdd(Counts[bin], Bins[bin]);
}

[Shader("compute")] [NumThreads(1, 1, 1)]
void Prefix()
{
    uint sum = 0;
    for (uint i = 0; i < c_materials; i++)
    {
        First[i] = sum;
        Next[i] = sum;
        Args[i] = uint4((Counts[i] + 63) / 64, 1, 1, 0);
        sum += Counts[i];
    }
}

[Shader("compute")] [NumThreads(8, 8, 1)]
void Scatter(uint3 at : SV_DispatchThreadID, uint thread : SV_GroupIndex)
{
    for (uint i = thread; i < c_materials; i += 64)
        Bins[i] = 0;
    GroupMemoryBarrierWithGroupSync();
    uint pixel = at.y * push.width + at.x;
    uint material = Material(pixel, push.width);
    uint rank;
    InterlockedAdd(Bins[material], 1, rank);
    GroupMemoryBarrierWithGroupSync();
    for (uint bin = thread; bin < c_materials; bin += 64)
        if (Bins[bin] != 0)
            InterlockedAdd(Next[bin], Bins[bin], Places[bin]);
    GroupMemoryBarrierWithGroupSync();
    Sorted[Places[material] + rank] = Made(pixel, material);
}

#if DISTINCT
#define CONSUME(N)                                                                              \
    [Shader("compute")] [NumThreads(64, 1, 1)]                                                  \
    void Consume##N(uint3 at : SV_DispatchThreadID)                                             \
    {                                                                                           \
        if (at.x < Counts[N])                                                                   \
        {                                                                                       \
            Payload p = Sorted[First[N] + at.x];                                                \
            Out[p.pixel] = Shade(p, N);                                                         \
        }                                                                                       \
    }
ALL_MATERIALS(CONSUME)
#else
[Shader("compute")] [NumThreads(64, 1, 1)]
void Consume(uint3 at : SV_DispatchThreadID)
{
    if (at.x < Counts[push.material])
    {
        Payload p = Sorted[First[push.material] + at.x];
        Out[p.pixel] = Shade(p, push.material);
    }
}
#endif

// All in one dispatch; its lanes diverge at a switch over the materials.
#define CASE(N) case N: value = Shade(p, N); break;
[Shader("compute")] [NumThreads(8, 8, 1)]
void Uber(uint3 at : SV_DispatchThreadID)
{
    uint pixel = at.y * push.width + at.x, material = Material(pixel, push.width), value = 0;
    Payload p = Made(pixel, material);
    switch (material)
    {
        ALL_MATERIALS(CASE)
    }
    Out[pixel] = value;
}
