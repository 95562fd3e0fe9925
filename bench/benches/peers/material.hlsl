// A surface under four lights: structures through functions, vectors times scalars, selects.
[[vk::binding(0)]] RWStructuredBuffer<float4> Out;
[[vk::binding(1)]] StructuredBuffer<uint> In;

struct Surface { float3 normal, view, base; float rough, metal; };
struct Light { float3 along, colour; bool spot; };

float Distribution(float nh, float a)
{
    float a2 = a * a, d = nh * nh * (a2 - 1) + 1;
    return a2 / (3.14159265f * d * d);
}

float Visible(float nv, float nl, float a)
{
    float k = (a + 1) * (a + 1) / 8;
    return 1 / ((nv * (1 - k) + k) * (nl * (1 - k) + k) * 4);
}

float3 Fresnel(float3 f0, float vh) { return f0 + (1 - f0) * pow(1 - vh, 5); }

float3 Shade(Surface s, Light light)
{
    float nl = saturate(dot(s.normal, light.along));
    if (nl <= 0)
        return 0;
    float3 h = normalize(light.along + s.view);
    float nv = max(dot(s.normal, s.view), 0.001f), nh = saturate(dot(s.normal, h)), vh = saturate(dot(s.view, h));
    float a = s.rough * s.rough;
    float3 f0 = lerp(0.04f, s.base, s.metal);
    float3 f = Fresnel(f0, vh);
    float3 specular = f * (Distribution(nh, a) * Visible(nv, nl, a));
    float3 diffuse = s.base * (1 - s.metal) * (1 - f) / 3.14159265f;
    float cone = light.spot ? smoothstep(0.8f, 0.95f, nl) : 1;
    return (diffuse + specular) * light.colour * (nl * cone);
}

Surface Sample(uint n)
{
    uint bits = In[n & 1023] * 2654435761u;
    Surface s;
    s.normal = normalize(float3(float(bits & 255) - 127, float(bits >> 8 & 255) - 127, 200));
    s.view = float3(0, 0, 1);
    s.base = float3(float(bits >> 16 & 15), float(bits >> 20 & 15), float(bits >> 24 & 15)) / 15;
    s.rough = 0.1f + float(bits >> 28) / 20;
    s.metal = (bits & 1) != 0 ? 1 : 0;
    return s;
}

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
    Surface s = Sample(id.x);
    float3 sum = 0;
    for (uint n = 0; n < 16; ++n) {
        Light light;
        light.along = normalize(float3(float(n & 3) - 1.5f, float(n >> 2) - 1.5f, 1));
        light.colour = float3(1, 0.9f, 0.8f) * (n & 1 ? 0.5f : 1);
        light.spot = (n & 2) != 0;
        sum += Shade(s, light);
    }
    Out[id.x] = float4(sum / (1 + sum), 1);
}
