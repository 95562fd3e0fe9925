// Classification as in emulators that work level by level. The lanes of a wave handle one target after the other. Each target
// takes memory, a count and an entry in the list of allocations, with its own atomics. Then the list is expanded into a list
// of offsets for each node, and the nodes read their records through it.

#include "classify.hlsli"

[[vk::binding(0)]] RWStructuredBuffer<uint> Out;
[[vk::binding(1)]] RWByteAddressBuffer Memory;
// {first byte, node << 8 | records}
[[vk::binding(2)]] RWStructuredBuffer<uint2> Allocations;
// Next free byte, number of allocations.
[[vk::binding(3)]] RWStructuredBuffer<uint> Heads;
[[vk::binding(4)]] RWStructuredBuffer<uint> Counts;
[[vk::binding(5)]] RWStructuredBuffer<uint> First;
[[vk::binding(6)]] RWStructuredBuffer<uint> Next;
[[vk::binding(7)]] RWStructuredBuffer<uint4> Args;
[[vk::binding(8)]] RWStructuredBuffer<uint> Offsets;
struct Push { uint width; uint material; };
[[vk::push_constant]] Push push;

// Records begin at multiples of 16.
static const uint c_bytes = (PAYLOAD_WORDS * 4 + 15) & ~15u;

[Shader("compute")] [NumThreads(128, 1, 1)]
void Clear(uint thread : SV_GroupIndex)
{
    if (thread < c_materials)
        Counts[thread] = 0;
    if (thread < 2)
        Heads[thread] = 0;
}

[Shader("compute")] [NumThreads(8, 8, 1)]
void Classify(uint3 at : SV_DispatchThreadID)
{
    uint pixel = at.y * push.width + at.x;
    uint material = Material(pixel, push.width);
    uint place = 0;
    bool done = false;
    while (!done)
    {
        uint turn = WaveReadLaneFirst(material);
        if (turn == material)
        {
            uint count = WaveActiveCountBits(true);
            uint rank = WavePrefixCountBits(true);
            uint base = 0;
            if (WaveIsFirstLane())
            {
                InterlockedAdd(Heads[0], count * c_bytes, base);
                uint before;
                InterlockedAdd(Counts[material], count, before);
                uint slot;
                InterlockedAdd(Heads[1], 1, slot);
                Allocations[slot] = uint2(base, material << 8 | count);
            }
            place = WaveReadLaneFirst(base) + rank * c_bytes;
            done = true;
        }
    }
    Memory.Store<Payload>(place, Made(pixel, material));
}

[Shader("compute")] [NumThreads(1, 1, 1)]
void Distribute()
{
    uint sum = 0;
    for (uint i = 0; i < c_materials; i++)
    {
        First[i] = sum;
        Next[i] = sum;
        Args[i] = uint4((Counts[i] + 63) / 64, 1, 1, 0);
        sum += Counts[i];
    }
    Args[c_materials] = uint4((Heads[1] + 63) / 64, 1, 1, 0);
}

[Shader("compute")] [NumThreads(64, 1, 1)]
void Expand(uint3 at : SV_DispatchThreadID)
{
    if (at.x >= Heads[1])
        return;
    uint2 allocation = Allocations[at.x];
    uint count = allocation.y & 0xff, first;
    InterlockedAdd(Next[allocation.y >> 8], count, first);
    for (uint i = 0; i < count; i++)
        Offsets[first + i] = allocation.x + i * c_bytes;
}

[Shader("compute")] [NumThreads(64, 1, 1)]
void Consume(uint3 at : SV_DispatchThreadID)
{
    if (at.x < Counts[push.material])
    {
        Payload p = Memory.Load<Payload>(Offsets[First[push.material] + at.x]);
        Out[p.pixel] = Shade(p, push.material);
    }
}
