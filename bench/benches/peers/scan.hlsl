// Prefix sums of 512 numbers in each group, in steps that double.
[[vk::binding(0)]] RWStructuredBuffer<uint> Out;
[[vk::binding(1)]] StructuredBuffer<uint> In;

groupshared uint Sums[2][512];

[numthreads(512, 1, 1)]
void main(uint t : SV_GroupIndex, uint3 group : SV_GroupID)
{
    uint from = 0;
    Sums[0][t] = In[group.x * 512 + t & 1023] & 255;
    GroupMemoryBarrierWithGroupSync();
    [unroll] for (uint step = 1; step < 512; step *= 2) {
        uint sum = Sums[from][t];
        if (t >= step)
            sum += Sums[from][t - step];
        Sums[1 - from][t] = sum;
        from = 1 - from;
        GroupMemoryBarrierWithGroupSync();
    }
    Out[group.x * 512 + t] = Sums[from][t];
}
