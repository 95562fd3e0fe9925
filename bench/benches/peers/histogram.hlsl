// A histogram of 256 bins in groupshared memory, added to the result.
[[vk::binding(0)]] RWStructuredBuffer<uint> Out;
[[vk::binding(1)]] StructuredBuffer<uint> In;

groupshared uint Bins[256];

[numthreads(256, 1, 1)]
void main(uint3 id : SV_DispatchThreadID, uint t : SV_GroupIndex)
{
    Bins[t] = 0;
    GroupMemoryBarrierWithGroupSync();
    for (uint n = 0; n < 16; ++n) {
        uint4 bytes = uint4(0, 8, 16, 24);
        uint4 keys = (In[id.x * 16 + n & 1023] * (id.x + n) >> bytes) & 255;
        InterlockedAdd(Bins[keys.x], 1);
        InterlockedAdd(Bins[keys.y], 1);
        InterlockedAdd(Bins[keys.z], 1);
        InterlockedAdd(Bins[keys.w], 1);
    }
    GroupMemoryBarrierWithGroupSync();
    InterlockedAdd(Out[t], Bins[t]);
}
