// A bitonic sort of 512 numbers in each group.
[[vk::binding(0)]] RWStructuredBuffer<uint> Out;
[[vk::binding(1)]] StructuredBuffer<uint> In;

groupshared uint Keys[512];

void Exchange(uint i, uint j, bool up)
{
    uint a = Keys[i], b = Keys[j];
    if ((a > b) == up) {
        Keys[i] = b;
        Keys[j] = a;
    }
}

[numthreads(256, 1, 1)]
void main(uint t : SV_GroupIndex, uint3 group : SV_GroupID)
{
    uint first = group.x * 512;
    Keys[t] = In[first + t & 1023] ^ group.x * 2654435761u;
    Keys[t + 256] = In[first + t + 256 & 1023] ^ group.x * 2246822519u;
    GroupMemoryBarrierWithGroupSync();
    for (uint size = 2; size <= 512; size <<= 1) {
        for (uint stride = size >> 1; stride > 0; stride >>= 1) {
            uint i = 2 * t - (t & stride - 1);
            Exchange(i, i + stride, (i & size) == 0);
            GroupMemoryBarrierWithGroupSync();
        }
    }
    Out[first + t] = Keys[t];
    Out[first + t + 256] = Keys[t + 256];
}
