//@ options entry=main 16bit
#define SLOTS 21u
#define THREADS 64
#define MIX(a, b) ((a) * 31u ^ (b))
#define DECLARE(type, name, value) type name = (value)
#define JOIN(a, b) a##b
#define CAT(a, b) JOIN(a, b)
#define VARIADIC(f, ...) f(__VA_ARGS__)
typedef uint2 A9[2];
typedef float A12[4];
typedef float A19[3];
typedef uint16_t A29[2];
enum E1 { k2 = 0, k3 = 25, k4, k5 = 14 };
enum E6 { k7 = 77, k8 };
static const int c10 = 13942;
static const float c11[4] = { (-24.875f), (-60.5), (-54.5f), (-47.75), };
static uint16_t s13 = ((uint16_t)1);
static int16_t s14 = ((int16_t)0x5555);
interface I26 { uint f20(uint16_t p0, float2x3 p1, uint16_t4 p2); };
struct S15 : I26 {
int2 m16;
int m17;
float m18[3];
uint f20(uint16_t a21, float2x3 a22, uint16_t4 a23) {
const float v24 = ((14u * 17u) <= 0u);
if (true) return 1048576u;
uint2 v25[2] = ((A9)0);
return v25[1].r;
}
S15 operator*(S15 other) {
S15 r = other;
r.m16 = this.m16 * other.m16;
r.m17 = this.m17 * other.m17;
return r;
}
};
[[vk::binding(0)]] RWByteAddressBuffer Out;
[[vk::binding(4)]] RWStructuredBuffer<uint> Acc;
[[vk::binding(6)]] RWByteAddressBuffer Own;
[[vk::binding(7)]] RWByteAddressBuffer Bytes;
[[vk::binding(8)]] RWStructuredBuffer<int> AccI;
[[vk::binding(1)]] StructuredBuffer<S15> In;
[[vk::binding(3)]] RWStructuredBuffer<int> Work;
[[vk::binding(5)]] cbuffer Block {
int4 CI;
row_major float2x4 b27;
S15 b28;
uint16_t b30[2];
};
groupshared float2 G31[THREADS];
groupshared int G32[THREADS];
void precise_sum(float a, out precise float r) { r = (a + 0.1f) - a; }
template<typename T, uint N>
T t33(T a, T b) { T c = a; [unroll] for (uint i = 0; i < N; i++) c = c * 3 + b; return c; }
int16_t f34(bool a35, out int a36, uint16_t4 a37) {
a36 = ((int)0);
uint c38 = (true ? 23235u : 1431655765u);
uint c39 = (true ? 1u : 0x10u);
uint c40 = 18u;
uint c41 = 3u;
bool2 l42 = (c38 < c39, c40 > c41);
float4x2 v43 = float4x2((-23.625), 34.875f, 46.25, (-29.75f), 31.5f, 50.375f, 29.25, 59.625f);
return ((int16_t)6);
}
uint f44(out int a45, inout int64_t a46) {
a45 = ((int)0);
float4x4 v47 = (-(-float4x4((-44.0f), 47.5f, 7.625, (-43.25f), 22.125, (-11.875), (-22.5), (-45.125), 27.625f, 57.25, (-9.0), 0.25, (-34.25f), 27.625, 26.0, 56.875)));
return mul(clamp((uint3(9u, 18u, 0x4716u) / (((uint3)0xeu) | 1)), min(t33<uint3, 1>(uint3(18u, 0x13u, 16384u), uint3(13u, 6u, 0x7u)), (uint3(1u, 7u, 5u) ^ ((uint3)0x53dau))), max(t33<uint3, 1>(uint3(18u, 0x13u, 16384u), uint3(13u, 6u, 0x7u)), (uint3(1u, 7u, 5u) ^ ((uint3)0x53dau)))), ((uint4(1431655765u, 8u, 0x6u, 10u) ^ uint4(1431655765u, 0u, 0x10u, 4u))).wxz);
}
void body(uint3 tid, uint3 gtid, uint3 gid, uint gi) {
uint me = gid.x * THREADS + gi;
S15 v48 = b28;
int16_t v49 = (((s14 + s14) + (s14 ^ s14)) - ((s14 << (s14 & 15)) >> ((((int16_t)0x7fff) + s14) & 15)));
E1 v50 = k2;
int16_t r51 = f34((v50 == v50), v48.m17, uint16_t4(((uint16_t)2), ((uint16_t)19439), ((uint16_t)0x7), ((uint16_t)29178)));
if (gid.x < 1u) {
E1 v52 = v50;
}
else {
if ((false || ((v50 == v50) != (k7 != k7)))) {
uint h53 = ((uint)dot4add_i8packed((true ? 11u : 0xcu), mul(gid.br, uint2(14u, 12u)), (c10 + 5138)));
{ uint E1 = h53 + 3u; h53 ^= E1 * 5u; if (E1 < h53) { int E1 = 2; h53 += E1; } }
v48.m17--;
s13 -= (((b30[((h53 ^ me) & 1)] - s13) % (((uint16_t)((int64_t)12)) | 1)) ^ ((uint16_t)abs(float16_t(int(floor((-7.5h))) & 7))));
}
const uint v54 = max(9u, 65536u);
}
InterlockedMax(AccI[1], abs((In[7].m17 + c10 & Work[me] + c10 & ((int)13))));
const int v55 = c10;
s14 <<= (((v49 ^ ((int16_t)(-32))) - ((int16_t)me)) & 15);
E6 v56 = k7;
bool2 v57 = ((bool2)(float2(int2(b27._m10_m03) & 63) - float2(int2(mul(float2x3(26.5f, (-58.75), (-3.25), (-21.375f), 27.875f, (-12.75)), ((float3)8.75f))) & 63)));
S15 v58 = (v48 * b28);
Out.Store((me * SLOTS + 0u) * 8u, (uint)v48.m16.x);
Out.Store((me * SLOTS + 1u) * 8u, (uint)v48.m16.y);
Out.Store((me * SLOTS + 2u) * 8u, (uint)v48.m17);
Out.Store((me * SLOTS + 3u) * 8u, asuint(v48.m18[0]));
Out.Store((me * SLOTS + 4u) * 8u, asuint(v48.m18[1]));
Out.Store((me * SLOTS + 5u) * 8u, asuint(v48.m18[2]));
Out.Store((me * SLOTS + 6u) * 8u, (uint)v49);
Out.Store((me * SLOTS + 7u) * 8u, (uint)v50);
Out.Store((me * SLOTS + 8u) * 8u, (uint)r51);
Out.Store((me * SLOTS + 9u) * 8u, (uint)v55);
Out.Store((me * SLOTS + 10u) * 8u, (uint)v56);
Out.Store((me * SLOTS + 11u) * 8u, (uint)v57.x);
Out.Store((me * SLOTS + 12u) * 8u, (uint)v57.y);
Out.Store((me * SLOTS + 13u) * 8u, (uint)v58.m16.x);
Out.Store((me * SLOTS + 14u) * 8u, (uint)v58.m16.y);
Out.Store((me * SLOTS + 15u) * 8u, (uint)v58.m17);
Out.Store((me * SLOTS + 16u) * 8u, asuint(v58.m18[0]));
Out.Store((me * SLOTS + 17u) * 8u, asuint(v58.m18[1]));
Out.Store((me * SLOTS + 18u) * 8u, asuint(v58.m18[2]));
Out.Store((me * SLOTS + 19u) * 8u, (uint)s13);
Out.Store((me * SLOTS + 20u) * 8u, (uint)s14);
}
#ifdef NODE
[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
#endif
[numthreads(64, 1, 1)]
void main(uint3 tid : SV_DispatchThreadID, uint3 gtid : SV_GroupThreadID, uint3 gid : SV_GroupID, uint gi : SV_GroupIndex) {
body(tid, gtid, gid, gi);
}
