// A radix-2 Fourier transform of 256 complex numbers in each group.
[[vk::binding(0)]] RWStructuredBuffer<float2> Out;
[[vk::binding(1)]] StructuredBuffer<uint> In;

groupshared float2 Line[2][256];

float2 Times(float2 a, float2 b) { return float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }

struct Butterfly {
    float2 a, b;
    void Turn(float2 w) { float2 t = Times(b, w); b = a - t; a = a + t; }
};

[numthreads(128, 1, 1)]
void main(uint t : SV_GroupIndex, uint3 group : SV_GroupID)
{
    for (uint n = t; n < 256; n += 128)
        Line[0][n] = float2(float(In[n + group.x & 1023] & 255) / 255, float(n & 3) * 0.25);
    GroupMemoryBarrierWithGroupSync();
    uint from = 0;
    for (uint span = 1; span < 256; span *= 2) {
        uint k = t & span - 1;
        float angle = -3.14159265f * float(k) / float(span);
        Butterfly pair;
        pair.a = Line[from][t];
        pair.b = Line[from][t + 128];
        pair.Turn(float2(cos(angle), sin(angle)));
        uint to = (t - k) * 2 + k;
        Line[1 - from][to] = pair.a;
        Line[1 - from][to + span] = pair.b;
        from = 1 - from;
        GroupMemoryBarrierWithGroupSync();
    }
    Out[group.x * 256 + t] = Line[from][t];
    Out[group.x * 256 + t + 128] = Line[from][t + 128];
}
