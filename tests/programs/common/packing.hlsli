// Packing of normals and colours into words.
#pragma once

uint PackUnorm4x8(float4 v)
{
    const uint4 b = uint4(saturate(v) * 255.0f + 0.5f);
    return b.x | (b.y << 8) | (b.z << 16) | (b.w << 24);
}

float4 UnpackUnorm4x8(uint v)
{
    return float4(v & 0xffu, (v >> 8) & 0xffu, (v >> 16) & 0xffu, v >> 24) * (1.0f / 255.0f);
}

uint PackSnorm2x16(float2 v)
{
    const int2 s = int2(round(clamp(v, -1.0f, 1.0f) * 32767.0f));
    return (uint(s.x) & 0xffffu) | (uint(s.y) << 16);
}

float2 UnpackSnorm2x16(uint v)
{
    const int2 s = int2(int(v << 16) >> 16, int(v) >> 16);
    return max(float2(s) / 32767.0f, -1.0f);
}

float2 OctWrap(float2 v)
{
    return (1.0f - abs(v.yx)) * select(v.xy >= 0.0f, 1.0f, -1.0f);
}

uint PackNormal(float3 n)
{
    n /= abs(n.x) + abs(n.y) + abs(n.z);
    n.xy = n.z >= 0.0f ? n.xy : OctWrap(n.xy);
    return PackSnorm2x16(n.xy);
}

float3 UnpackNormal(uint packed)
{
    const float2 f = UnpackSnorm2x16(packed);
    float3 n = float3(f, 1.0f - abs(f.x) - abs(f.y));
    const float t = saturate(-n.z);
    n.xy += select(n.xy >= 0.0f, -t, t);
    return normalize(n);
}
