// A library with a pixel part, whose ordered memory and feedback no node touches, and with members and counters. Only
// some of these give their locations.

RasterizerOrderedTexture2D<float4> Layers : register(u20);
RasterizerOrderedStructuredBuffer<uint> Fragments : register(u21);
RasterizerOrderedByteAddressBuffer Locks : register(u22);
RasterizerOrderedBuffer<uint> Depths[2] : register(u23);
FeedbackTexture2D<SAMPLER_FEEDBACK_MIN_MIP> Seen : register(u25);
Texture2D<float4> Albedo : register(t26);
SamplerState Linear : register(s27);

void keep(RasterizerOrderedTexture2D<float4> layers, uint2 at) { layers[at].w = 1; }

[Shader("pixel")]
float4 Shade(float4 position : SV_Position) : SV_Target
{
    uint2 at = uint2(position.xy);
    uint old;
    Locks.InterlockedAdd(4, 1, old);
    Locks.Store(8, Locks.Load(8) | old);
    Layers[at] += 0.5;
    keep(Layers, at);
    InterlockedMax(Depths[1][at.x], asuint(position.z), old);
    Fragments[Fragments.IncrementCounter()] = old;
    Seen.WriteSamplerFeedback(Albedo, Linear, position.xy);
    return Layers[at] + Layers.Load(int2(at));
}

// `B` gets the first free binding, which is not the one that the counter of `A` has: 0.
[[vk::counter_binding(0)]] RWStructuredBuffer<uint> A;
RWStructuredBuffer<uint> B;

// `b` follows `a`, at byte 24.
cbuffer Mixed { uint a : packoffset(c1.y); uint b; uint c : packoffset(c0.z); };

RWByteAddressBuffer Bytes;

[Shader("node")]
[NodeLaunch("thread")]
void Start()
{
    A[A.IncrementCounter()] = 5;
    B[0] = a * 100 + b * 10 + c;
    uint old;
    float low = -2.75, high = 6.5;
    Bytes.InterlockedMin(0, low);
    Bytes.InterlockedMax(4, high, old);
    Bytes.InterlockedAdd(8, high);
    B[1] = old;
}
