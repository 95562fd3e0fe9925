// The forces between 1,024 bodies.
[[vk::binding(0)]] RWStructuredBuffer<float4> Out;
[[vk::binding(1)]] StructuredBuffer<uint> In;

groupshared float4 Bodies[64];

float4 Body(uint n)
{
    uint x = In[n & 1023];
    return float4(float(x & 255), float(x >> 8 & 255), float(x >> 16 & 255), float(x >> 24) + 1) / 256;
}

float3 Force(float3 at, float4 body)
{
    float3 away = body.xyz - at;
    float squared = dot(away, away) + 0.0001f;
    float inverse = rsqrt(squared);
    return away * (body.w * inverse * inverse * inverse);
}

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID, uint t : SV_GroupIndex)
{
    float4 own = Body(id.x);
    float3 sum = 0;
    for (uint tile = 0; tile < 1024; tile += 64) {
        Bodies[t] = Body(tile + t);
        GroupMemoryBarrierWithGroupSync();
        for (uint n = 0; n < 64; ++n)
            sum += Force(own.xyz, Bodies[n]);
        GroupMemoryBarrierWithGroupSync();
    }
    Out[id.x] = float4(own.xyz + sum * 0.001f, own.w);
}
