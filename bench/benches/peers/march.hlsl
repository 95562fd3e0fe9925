// Rays that march through distance fields: helpers with early returns and `inout` parameters.
[[vk::binding(0)]] RWStructuredBuffer<float4> Out;
[[vk::binding(1)]] StructuredBuffer<uint> In;

float Box(float3 p, float3 size)
{
    float3 q = abs(p) - size;
    return length(max(q, 0)) + min(max(q.x, max(q.y, q.z)), 0);
}

float Ball(float3 p, float radius) { return length(p) - radius; }

float Scene(float3 p, out int what)
{
    float ground = p.y + 1;
    float ball = Ball(p - float3(0.5f, 0, 3), 1);
    float box = Box(p - float3(-1.2f, 0, 4), float3(0.7f, 0.9f, 0.5f));
    what = 0;
    float least = ground;
    if (ball < least) { least = ball; what = 1; }
    if (box < least) { least = box; what = 2; }
    return least;
}

float3 Normal(float3 p)
{
    int unused;
    float2 e = float2(0.001f, 0);
    float d = Scene(p, unused);
    return normalize(float3(Scene(p + e.xyy, unused), Scene(p + e.yxy, unused), Scene(p + e.yyx, unused)) - d);
}

bool March(float3 from, float3 along, inout float t, out int what)
{
    for (int n = 0; n < 64; ++n) {
        float distance = Scene(from + along * t, what);
        if (distance < 0.001f)
            return true;
        t += distance;
        if (t > 20)
            return false;
    }
    return false;
}

float3 Colour(int what)
{
    if (what == 0) return float3(0.4f, 0.5f, 0.3f);
    if (what == 1) return float3(0.9f, 0.2f, 0.1f);
    return float3(0.2f, 0.3f, 0.9f);
}

[numthreads(8, 8, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
    float2 at = (float2(id.xy) + 0.5f) / 64 - 1;
    float3 along = normalize(float3(at.x, -at.y, 1.5f));
    float3 light = normalize(float3(1, 2, -1));
    float t = 0.01f;
    int what, other;
    float3 colour = float3(0.6f, 0.7f, 0.9f);
    if (March(0, along, t, what)) {
        float3 p = along * t;
        float3 normal = Normal(p);
        float shade = saturate(dot(normal, light));
        float far = 0.02f;
        if (March(p + normal * 0.01f, light, far, other))
            shade *= 0.2f;
        colour = Colour(what) * (0.15f + shade);
    }
    Out[id.y * 128 + id.x] = float4(colour, float(In[id.x & 1023] & 1));
}
