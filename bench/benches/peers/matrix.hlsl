// Products of 128 x 128 matrices in tiles, and of small matrices.
[[vk::binding(0)]] RWStructuredBuffer<float> Out;
[[vk::binding(1)]] StructuredBuffer<uint> In;

groupshared float A[16][16];
groupshared float B[16][16];

float Element(uint n) { return float(In[n & 1023] & 15) * 0.125f - 1; }

[numthreads(16, 16, 1)]
void main(uint3 t : SV_GroupThreadID, uint3 group : SV_GroupID)
{
    uint row = group.y * 16 + t.y, column = group.x * 16 + t.x;
    float sum = 0;
    for (uint tile = 0; tile < 8; ++tile) {
        A[t.y][t.x] = Element(row * 128 + tile * 16 + t.x);
        B[t.y][t.x] = Element((tile * 16 + t.y) * 128 + column);
        GroupMemoryBarrierWithGroupSync();
        [unroll] for (uint k = 0; k < 16; ++k)
            sum += A[t.y][k] * B[k][t.x];
        GroupMemoryBarrierWithGroupSync();
    }
    float4x4 m = float4x4(sum, 1, 0, 0, 0, sum, 1, 0, 0, 0, sum, 1, 1, 0, 0, sum);
    float4 v = float4(float(t.x), float(t.y), 1, 0);
    [loop] for (uint i = 0; i < 4; ++i)
        v = normalize(mul(m, v) + mul(v, m));
    Out[row * 128 + column] = sum + dot(v, float4(1, 2, 3, 4));
}
