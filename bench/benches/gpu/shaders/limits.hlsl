// Upper limits of the device: bytes copied, and atomics on one counter.

[[vk::binding(0)]] StructuredBuffer<uint4> From;
[[vk::binding(1)]] RWStructuredBuffer<uint4> To;
[[vk::binding(2)]] RWStructuredBuffer<uint> Counter;
struct Push { uint each; };
[[vk::push_constant]] Push push;

// Each thread copies push.each elements. Neighbouring threads copy neighbouring elements.
[Shader("compute")] [NumThreads(64, 1, 1)]
void Copy(uint3 group : SV_GroupID, uint thread : SV_GroupIndex)
{
    uint first = group.x * 64 * push.each + thread;
    for (uint i = 0; i < push.each; i++)
        To[first + i * 64] = From[first + i * 64];
}

// One atomic for a wave, whose result is used.
[Shader("compute")] [NumThreads(64, 1, 1)]
void Count(uint3 at : SV_DispatchThreadID)
{
    uint before = 0;
    if (WaveIsFirstLane())
        InterlockedAdd(Counter[0], 1, before);
    if (before == 0xffffffff)
        To[0] = at.xxxx;
}

[Shader("compute")] [NumThreads(64, 1, 1)]
void Nothing(uint3 group : SV_GroupID)
{
    if (group.x == 0xffffffff)
        Counter[1] = 1;
}
