//@ options entry=main 16bit row-major
#define SLOTS 40u
#define THREADS 16
#define MIX(a, b) ((a) * 31u ^ (b))
#define DECLARE(type, name, value) type name = (value)
#define JOIN(a, b) a##b
#define CAT(a, b) JOIN(a, b)
#define VARIADIC(f, ...) f(__VA_ARGS__)
float4x3 masked43(float4x3 m) {
m[0] = float3(int3(m[0]) & 63);
m[1] = float3(int3(m[1]) & 63);
m[2] = float3(int3(m[2]) & 63);
m[3] = float3(int3(m[3]) & 63);
return m;
}
typedef float A1[4];
typedef double3 A2[2];
typedef int3 A3[5];
typedef int64_t A9[3];
typedef int64_t2 A13[2];
typedef bool A17[4];
typedef double A20[2];
static const uint c4 = 5u;
static uint4 s5 = uint4(16u, 0x6u, 10u, 11u);
struct S6 {
float3x4 m7;
};
template<typename T, uint N>
struct S8 {
T m10[N];
T m11;
T at(uint i) { return m10[i % N]; }
};
template<typename T, uint N>
struct S12 {
T m14[N];
T m15;
T at(uint i) { return m14[i % N]; }
};
[[vk::binding(0)]] RWByteAddressBuffer Out;
[[vk::binding(4)]] RWStructuredBuffer<uint> Acc;
[[vk::binding(6)]] RWByteAddressBuffer Own;
[[vk::binding(7)]] RWByteAddressBuffer Bytes;
[[vk::binding(8)]] RWStructuredBuffer<int> AccI;
[[vk::binding(1)]] StructuredBuffer<S8<int64_t, 3> > In;
[[vk::binding(3)]] RWStructuredBuffer<S12<int64_t2, 2> > Work;
[[vk::binding(5)]] cbuffer Block {
int4 CI;
uint16_t b16;
bool b18[4];
row_major float3x4 b19;
double b21[2];
};
groupshared double G22[THREADS];
groupshared double G23[THREADS];
void precise_sum(float a, out precise float r) { r = (a + 0.1f) - a; }
float4x3 f24() {
if (b18[0]) {
{ int i25 = 0; while (i25++ < 4 && ((mad(c4, c4, c4) ^ (2u & 8192u)) <= (c4 + 2u | c4 + 1u))) {
float v26 = float(int(mul(float3(int3((step(float3(3.25, (-63.5f), (-21.0)), float3((-9.25f), (-22.0f), (-56.875f))) + float3((-3.625f), 37.375, (-8.125)))) & 63), float3(19.125, (-8.625), 33.625))) & 63);
S8<int64_t, 3>  v27 = In[2];
}
}
const uint64_t v28 = ((int)10);
int3 v29[5] = ((A3)0);
}
else {
int v30 = CI[2];
int v31 = v30;
}
return float4x3(21.875, (-44.5), (-15.375f), (-36.0f), (-33.625f), 46.0f, 34.125f, 58.25, 62.625f, 56.75, (-57.5), 46.75f);
}
uint f32(int a33, S8<int64_t, 3>  a34, uint a35) {
if (false) {
bool b36 = ((c4 >> (0x4u & 31)) != clamp(s5.w, min(1431655765u, c4), max(1431655765u, c4))) || (a35++ != 3);
}
else {
float4x3 r37 = f24();
[branch] if ((!(asint(c4) == ((int)0x3u)))) {
uint v38 = clamp(firstbithigh((c4 * 7u)), min(((a35 >> (c4 & 31)) / ((b18[3] ? c4 : a35) | 1)), a35), max(((a35 >> (c4 & 31)) / ((b18[3] ? c4 : a35) | 1)), a35));
}
}
return a35;
}
float16_t f39() {
float4x3 r40 = f24();
uint h41 = mad(dot(uint4(13u, 256u, 0u, 65535u), s5), f32(CI[1], In[(16777216u % 11u)], s5.b), (c4 ^ ((int)(-2))));
{ uint f32 = h41 + 3u; h41 ^= f32 * 5u; if (f32 < h41) { int f32 = 2; h41 += f32; } }
int2 v42 = (int2(15, 11) - ((b18[(s5[1] & 3)] ? ((int2)16384) : int2(19, 0xa)) & (CI.xz | CI.r)));
h41 -= 305419896u;
return (-2.0h);
}
double3 f43(in bool2 a44, uint a45, float4x3 a46) {
float4x3 r47 = f24();
return double3(int3(((+(+double3(206.328125L, 4.078125L, (-226.078125L)))) - double3(29.828125L, (-2.015625L), 69.765625L))) & 255);
}
void body(uint3 tid, uint3 gtid, uint3 gid, uint gi) {
uint me = gid.x * THREADS + gi;
float v48[4] = ((A1)0);
int v49 = (((CI[(gi & 3)] * CI.b) / (((((int)0x10000) * 7) & 7) + 1)) * (any(int2(17, 7093)) ? (((int)65535) + 0x0) : (b18[((CI[0] | 128) & 3)] ? ((int)(-14)) : CI[1])));
int16_t2 v50 = ((int16_t)17);
[fastopt] for (int i51 = 0; i51 < 2; i51 += 1) {
const S6 v52 = ((S6)0);
}
double3 r53 = f43((int2(0x1, 0x3464) != select(bool2(false, false), int2(22391, 0x4517), CI.xz)), mul(tid, (tid * gtid)), masked43(((float4x3(59.0, 24.375, (-8.875f), (-58.25f), 53.375f, 60.625f, (-58.25), 10.875, 11.875, (-28.875f), 5.125f, (-39.375)) + ((float4x3)17.75f)) - ((float4x3)10.625))));
S8<int64_t, 3>  v54 = ((S8<int64_t, 3> )0);
float16_t v55 = 1.0h;
uint c56 = gid.y;
uint c57 = c4;
uint c58 = c4;
uint c59 = c4;
bool2 l60 = bool2(c56 < c57, c58 > (c59));
float16_t3 v61 = ((float16_t3)6.75h);
v50 ^= ((int16_t2)((int16_t)0xff));
--s5[3];
const double v62 = (-152.859375L);
int3 v63 = int3(16, 1431655765, (-16));
S6 v64 = ((S6)0);
Out.Store((me * SLOTS + 0u) * 8u, asuint(v48[0]));
Out.Store((me * SLOTS + 1u) * 8u, asuint(v48[1]));
Out.Store((me * SLOTS + 2u) * 8u, asuint(v48[2]));
Out.Store((me * SLOTS + 3u) * 8u, asuint(v48[3]));
Out.Store((me * SLOTS + 4u) * 8u, (uint)v49);
Out.Store((me * SLOTS + 5u) * 8u, (uint)v50.x);
Out.Store((me * SLOTS + 6u) * 8u, (uint)v50.y);
Out.Store<double>((me * SLOTS + 7u) * 8u, r53.x);
Out.Store<double>((me * SLOTS + 8u) * 8u, r53.y);
Out.Store<double>((me * SLOTS + 9u) * 8u, r53.z);
Out.Store<int64_t>((me * SLOTS + 10u) * 8u, v54.m10[0]);
Out.Store<int64_t>((me * SLOTS + 11u) * 8u, v54.m10[1]);
Out.Store<int64_t>((me * SLOTS + 12u) * 8u, v54.m10[2]);
Out.Store<int64_t>((me * SLOTS + 13u) * 8u, v54.m11);
Out.Store((me * SLOTS + 14u) * 8u, asuint((float)v55));
Out.Store((me * SLOTS + 15u) * 8u, (uint)l60.x);
Out.Store((me * SLOTS + 16u) * 8u, (uint)l60.y);
Out.Store((me * SLOTS + 17u) * 8u, asuint((float)v61.x));
Out.Store((me * SLOTS + 18u) * 8u, asuint((float)v61.y));
Out.Store((me * SLOTS + 19u) * 8u, asuint((float)v61.z));
Out.Store<double>((me * SLOTS + 20u) * 8u, v62);
Out.Store((me * SLOTS + 21u) * 8u, (uint)v63.x);
Out.Store((me * SLOTS + 22u) * 8u, (uint)v63.y);
Out.Store((me * SLOTS + 23u) * 8u, (uint)v63.z);
Out.Store((me * SLOTS + 24u) * 8u, asuint(v64.m7._m00));
Out.Store((me * SLOTS + 25u) * 8u, asuint(v64.m7._m01));
Out.Store((me * SLOTS + 26u) * 8u, asuint(v64.m7._m02));
Out.Store((me * SLOTS + 27u) * 8u, asuint(v64.m7._m03));
Out.Store((me * SLOTS + 28u) * 8u, asuint(v64.m7._m10));
Out.Store((me * SLOTS + 29u) * 8u, asuint(v64.m7._m11));
Out.Store((me * SLOTS + 30u) * 8u, asuint(v64.m7._m12));
Out.Store((me * SLOTS + 31u) * 8u, asuint(v64.m7._m13));
Out.Store((me * SLOTS + 32u) * 8u, asuint(v64.m7._m20));
Out.Store((me * SLOTS + 33u) * 8u, asuint(v64.m7._m21));
Out.Store((me * SLOTS + 34u) * 8u, asuint(v64.m7._m22));
Out.Store((me * SLOTS + 35u) * 8u, asuint(v64.m7._m23));
Out.Store((me * SLOTS + 36u) * 8u, (uint)s5.x);
Out.Store((me * SLOTS + 37u) * 8u, (uint)s5.y);
Out.Store((me * SLOTS + 38u) * 8u, (uint)s5.z);
Out.Store((me * SLOTS + 39u) * 8u, (uint)s5.w);
}
#ifdef NODE
[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
#endif
[numthreads(16, 1, 1)]
void main(uint3 tid : SV_DispatchThreadID, uint3 gtid : SV_GroupThreadID, uint3 gid : SV_GroupID, uint gi : SV_GroupIndex) {
body(tid, gtid, gid, gi);
}
