// Local root arguments allow the same uses as bindings: blocks with matrices, atomics that compare bits, coherent
// memory, and a buffer that may be one or the other.
LocalRootSignature Own = { "UAV(u1), UAV(u2), CBV(b1), RootConstants(num32BitConstants = 9, b2), SRV(t3)" };
struct Item { uint n; };
struct M { float3x2 m; float f[2]; };
RWStructuredBuffer<float> Best : register(u1);
globallycoherent RWStructuredBuffer<M> Mats : register(u2);
cbuffer Block : register(b1) { row_major float2x3 a; column_major float2x3 b; float list[3]; bool on; };
cbuffer Consts : register(b2) { float4 v; float3 w; uint last; uint beyond; };
ByteAddressBuffer Raw : register(t3);
RWStructuredBuffer<float> Out : register(u0);
[Shader("node")] [NodeLaunch("thread")]
void Main(ThreadNodeInputRecord<Item> input)
{
    uint n = input.Get().n;
    float before;
    InterlockedCompareStoreFloatBitwise(Best[0], 1.5, 2.5);
    InterlockedExchange(Best[1], 7.5, before);
    Out[0] = before;
    M m = Mats[1];
    m.m[1][1] += 1;
    m.f[n & 1] = 9;
    Mats[0] = m;
    Mats[1].m[2] = float2(50, 60);
    Out[1] = a[1][2] + b[1][0] * 10;
    Out[2] = list[n] + (on ? 100 : 0);
    Out[3] = v[n] + w[n] + last + beyond;
    Out[4] = Raw.Load<float>(4) + Raw.Load(8);
    RWStructuredBuffer<float> which = Best;
    if (n > 5) which = Out;
    which[2] = 42;
}
