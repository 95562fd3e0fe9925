//@ options entry=main 16bit row-major
#define SLOTS 37u
#define THREADS 64
#define MIX(a, b) ((a) * 31u ^ (b))
#define DECLARE(type, name, value) type name = (value)
#define JOIN(a, b) a##b
#define CAT(a, b) JOIN(a, b)
#define VARIADIC(f, ...) f(__VA_ARGS__)
typedef uint3 A7[4];
typedef int16_t A8[3];
typedef float A9[4];
typedef bool3 A25[2];
enum class E1 { k2, k3 };
enum class E4 { k5, k6 = 73 };
static const float c10 = (-7.125f);
static const int16_t c11 = ((int16_t)19429);
static float4x2 s12 = float4x2(20.125f, (-54.0f), (-63.125), 29.125, 8.0, (-28.875f), 9.0f, (-37.125f));
struct S13 {
uint m14 : 15;
uint m15 : 14;
int m16 : 15;
};
struct S17 {
uint m18 : 2;
int m19 : 14;
uint m20 : 7;
int f21() {
int v22 = (((int)15) + (mul(((int2)33554432), int2(65536, 0x0)) * (false == false)));
bool b23 = ((bool)(m18 | m20)) || (v22++ != 3);
int2 v24 = abs(select((int2(65536, 12) < int2(0x10, 18)), (b23 ? int2((-16), 7) : int2(5, (-11))), min(int2(0x5, 0x13), ((int2)1431655765))));
return (((this.m19 % ((v22 & 7) + 1)) | (E1::k3 != E1::k3)) << (((int)(b23 ? m18 : m18)) & 31));
}
};
[[vk::binding(0)]] RWByteAddressBuffer Out;
[[vk::binding(4)]] RWStructuredBuffer<uint> Acc;
[[vk::binding(6)]] RWByteAddressBuffer Own;
[[vk::binding(7)]] RWByteAddressBuffer Bytes;
[[vk::binding(8)]] RWStructuredBuffer<int> AccI;
[[vk::binding(1)]] StructuredBuffer<S17> In;
[[vk::binding(3)]] RWStructuredBuffer<S17> Work;
[[vk::binding(5)]] cbuffer Block {
int4 CI;
bool3 b26[2];
};
groupshared float3x2 G27[THREADS];
groupshared float3x2 G28[THREADS];
void precise_sum(float a, out precise float r) { r = (a + 0.1f) - a; }
namespace N29 {
static const uint n30 = 0x2000u;
uint64_t f31(uint16_t3 a32, int16_t a33) {
uint v34 = (b26[(n30 & 1)].y ? mad((In[7].m18 ^ 15u), 0x0u, n30) : ((CI.ra, (In[((uint)((int)7u) % 11u)].m18 ^ false)) - (n30 + n30)));
return (clamp((((uint64_t)10) & ((uint64_t)0x3)), min(((uint64_t)0x8), ((uint64_t)14)), max(((uint64_t)0x8), ((uint64_t)14))) / (((uint64_t)2147483647) | 1));
}
}
float3 f35(bool3 a36[2], inout int a37) {
uint64_t r38 = N29::f31(uint16_t3((uint16_t2(((uint16_t)128), ((uint16_t)16)) + uint16_t2(((uint16_t)0x3387), ((uint16_t)19))), (In[7].m20 == 0u)), ((c11 ^ c11) - (((int16_t)64) & c11 | ~c11 - ~c11)));
r38 = N29::f31(uint16_t3(((uint16_t)1), ((uint16_t)4), ((uint16_t)0x561b)), c11);
return float3(12.625, (-11.625f), 52.25f);
}
void body(uint3 tid, uint3 gtid, uint3 gid, uint gi) {
uint me = gid.x * THREADS + gi;
int v39 = ((int)((E4::k5 != E4::k6) ? frac((-3.0h)) : (-1.0h)));
float v40 = float(int((saturate(step(((float)(-10.125)), c10)) + (((float)(-16.75)) + round(5.125f)))) & 63);
E1 v41 = E1::k2;
E1 v42 = v41;
switch (((In[9].m20 | v39) + ((uint)abs(58.9375L))) % 4u) {
case 0:
{
[branch] if ((!(((bool)4.75) == b26[(gid[0] & 1)].z))) {
uint64_t v43 = ((2048u & gtid[(me % 3u)]) + mad(Work[me].m18, 65536u, 16u));
int64_t4 o44 = Own.Load<int64_t4>(me * 384u + 128u);
}
else {
Own.Store<float2x4>(me * 384u + 256u, ((float2x4)(-0.625)));
uint64_t4 v45 = ((uint64_t4)(((uint64_t)0x7cc751efu << 32) | (uint64_t)15u));
}
}
break;
case 1:
{
uint c46 = (true ? In[6].m18 : In[2].m18);
uint c47 = (b26[0][((uint)(((int)9) / ((CI.b & 7) + 1)) % 3u)] ? gid[0] : 6u);
uint c48 = (b26[((18u - me) & 1)][(gtid.z % 3u)] ? me : 0x7u);
uint c49 = (true ? 11u : 3u);
bool2 l50 = and(bool2(c46 < c47, c48 >> 1 > c49), c46 <= c47);
v39++;
}
break;
case 2:
{
float3 r51 = f35(((A25)0), v39);
}
default: {
if (((bool)((false ? Work[me].m18 : 2u) / (((uint)abs((-109.640625L))) | 1)))) {
if (CI.x > 3) {
uint x52 = CAT(0x, 1fu) + CAT(1, 7) * ((gid.b * 4u) | (In[8].m18 | v39));
}
uint64_t r53 = N29::f31(((b26[1].r ? ((uint16_t)9370) : ((uint16_t)11)) | min((uint16_t3(((uint16_t)2), ((uint16_t)9), ((uint16_t)21845)) + (uint16_t3)gi), uint16_t3(((uint16_t)17470), ((uint16_t)7), ((uint16_t)1024)))), ((c11 + ((int16_t)9)) / (((((int16_t)128) << (c11 & 15)) & 7) + 1)));
}
}
break;
}
E4 v54 = E4::k6;
v40 = min((false ? abs(v40) : c10), 45.5f);
E1 v55 = E1::k3;
uint3 v56[4] = ((A7)0);
const int64_t2 v57 = int64_t2(((int64_t)0x9), ((int64_t)512));
S13 v58 = ((S13)0);
S13 v59 = ((S13)0);
v58.m15 >>= (v56[1].z & 31);
precise float3 p60 = (((float3((-42.875f), 46.5, 21.75) - (float3((-42.875f), 46.5, 21.75) + ((float3)16777217.0f))) * float3((-11.75), 13.75, 12.875)) * float3((-2.0f), 60.875f, 21.5f));
Out.Store((me * SLOTS + 0u) * 8u, asuint(p60.x));
Out.Store((me * SLOTS + 1u) * 8u, asuint(p60.y));
Out.Store((me * SLOTS + 2u) * 8u, asuint(p60.z));
Out.Store((me * SLOTS + 3u) * 8u, (uint)v39);
Out.Store((me * SLOTS + 4u) * 8u, asuint(v40));
Out.Store((me * SLOTS + 5u) * 8u, (uint)v41);
Out.Store((me * SLOTS + 6u) * 8u, (uint)v42);
Out.Store((me * SLOTS + 7u) * 8u, (uint)v54);
Out.Store((me * SLOTS + 8u) * 8u, (uint)v55);
Out.Store((me * SLOTS + 9u) * 8u, (uint)v56[0].x);
Out.Store((me * SLOTS + 10u) * 8u, (uint)v56[0].y);
Out.Store((me * SLOTS + 11u) * 8u, (uint)v56[0].z);
Out.Store((me * SLOTS + 12u) * 8u, (uint)v56[1].x);
Out.Store((me * SLOTS + 13u) * 8u, (uint)v56[1].y);
Out.Store((me * SLOTS + 14u) * 8u, (uint)v56[1].z);
Out.Store((me * SLOTS + 15u) * 8u, (uint)v56[2].x);
Out.Store((me * SLOTS + 16u) * 8u, (uint)v56[2].y);
Out.Store((me * SLOTS + 17u) * 8u, (uint)v56[2].z);
Out.Store((me * SLOTS + 18u) * 8u, (uint)v56[3].x);
Out.Store((me * SLOTS + 19u) * 8u, (uint)v56[3].y);
Out.Store((me * SLOTS + 20u) * 8u, (uint)v56[3].z);
Out.Store<int64_t>((me * SLOTS + 21u) * 8u, v57.x);
Out.Store<int64_t>((me * SLOTS + 22u) * 8u, v57.y);
Out.Store((me * SLOTS + 23u) * 8u, (uint)v58.m14);
Out.Store((me * SLOTS + 24u) * 8u, (uint)v58.m15);
Out.Store((me * SLOTS + 25u) * 8u, (uint)v58.m16);
Out.Store((me * SLOTS + 26u) * 8u, (uint)v59.m14);
Out.Store((me * SLOTS + 27u) * 8u, (uint)v59.m15);
Out.Store((me * SLOTS + 28u) * 8u, (uint)v59.m16);
Out.Store((me * SLOTS + 29u) * 8u, asuint(s12._m00));
Out.Store((me * SLOTS + 30u) * 8u, asuint(s12._m01));
Out.Store((me * SLOTS + 31u) * 8u, asuint(s12._m10));
Out.Store((me * SLOTS + 32u) * 8u, asuint(s12._m11));
Out.Store((me * SLOTS + 33u) * 8u, asuint(s12._m20));
Out.Store((me * SLOTS + 34u) * 8u, asuint(s12._m21));
Out.Store((me * SLOTS + 35u) * 8u, asuint(s12._m30));
Out.Store((me * SLOTS + 36u) * 8u, asuint(s12._m31));
}
#ifdef NODE
[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(2, 1, 1)]
#endif
[numthreads(64, 1, 1)]
void main(uint3 tid : SV_DispatchThreadID, uint3 gtid : SV_GroupThreadID, uint3 gid : SV_GroupID, uint gi : SV_GroupIndex) {
body(tid, gtid, gid, gi);
}
