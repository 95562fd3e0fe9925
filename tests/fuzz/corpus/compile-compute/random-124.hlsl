//@ options entry=main
#define SLOTS 13u
#define THREADS 32
#define MIX(a, b) ((a) * 31u ^ (b))
#define DECLARE(type, name, value) type name = (value)
#define JOIN(a, b) a##b
#define CAT(a, b) JOIN(a, b)
#define VARIADIC(f, ...) f(__VA_ARGS__)
float3x2 masked32(float3x2 m) {
m[0] = float2(int2(m[0]) & 63);
m[1] = float2(int2(m[1]) & 63);
m[2] = float2(int2(m[2]) & 63);
return m;
}
float3x3 masked33(float3x3 m) {
m[0] = float3(int3(m[0]) & 63);
m[1] = float3(int3(m[1]) & 63);
m[2] = float3(int3(m[2]) & 63);
return m;
}
typedef uint64_t A6[4];
typedef int A7[3];
typedef uint A9[4];
typedef bool A12[3];
typedef bool A15[4];
enum E1 { k2 = 56, k3, k4, k5 };
static const uint c8[4] = { 13u, 0x56cau, 2147483647u, 14u, };
static const int c10 = 0x10000000;
static E1 s11 = ((E1)0);
[[vk::binding(0)]] RWByteAddressBuffer Out;
[[vk::binding(4)]] RWStructuredBuffer<uint> Acc;
[[vk::binding(6)]] RWByteAddressBuffer Own;
[[vk::binding(7)]] RWByteAddressBuffer Bytes;
[[vk::binding(8)]] RWStructuredBuffer<int> AccI;
[[vk::binding(1)]] StructuredBuffer<double> In;
[[vk::binding(3)]] RWStructuredBuffer<uint2> Work;
[[vk::binding(5)]] cbuffer Block {
int4 CI;
bool b13[3];
uint64_t3 b14;
bool b16[4];
};
groupshared float G17[THREADS];
groupshared float G18[THREADS];
void precise_sum(float a, out precise float r) { r = (a + 0.1f) - a; }
namespace N19 {
static const uint n20 = 0x985u;
double2 f21() {
if ((((s11 != k3) != (b13[1] == b13[(n20 % 3u)])) != ((((int64_t)3145) + ((int64_t)1048576)) > ((int64_t)25.875f)))) {
bool2 v22 = bool2(true, true);
}
int v23 = CI[1];
return double2((-16.984375L), (-183.140625L));
}
}
uint f24(in uint2 a25, int a26, bool a27) {
bool v28 = ((!(c10 >= 25272)) && ((unpack_u8u32((uint8_t4_packed)0x7u)).w == clamp(c8[0], min(a25.x, c8[(c10 & 3)]), max(a25.x, c8[(c10 & 3)]))));
uint x29 = MIX((mul(uint2(25212u, 5u), uint2(65536u, 10u)) + (c8[(c8[0] & 3)] << (c8[((a25.y + b16[2]) & 3)] & 31))), c8[1]);
if ((s11 != k5)) {
int v30[3] = ((A7)0);
uint v31 = 15u;
int v32 = 0x11;
}
else {
int v33 = c8[0];
}
E1 v34 = k5;
return x29;
}
float4x4 f35(out bool a36, float2x4 a37, out uint a38) {
a36 = ((bool)0);
a38 = ((uint)0);
uint x39 = CAT(0x, 1fu) + CAT(1, 7) * a38;
uint v40 = (-(a38 + a38) * -(a38 / (a38 | 1)) * f24(((uint2)24456u), c10, b13[((uint)abs(CI.b) % 3u)]));
int v41 = ((int)(float(int(mad((-52.25f), ((float)(-44.25)), (-61.5f))) & 63) - 31.0));
return float4x4(6.875, 5.625, 10.375f, 13.625f, 27.875, 23.875, 25.375, 53.75, (-14.25f), 9.5, (-3.25), (-10.125f), 19.375, 42.875, (-53.625f), 27.875);
}
void body(uint3 tid, uint3 gtid, uint3 gid, uint gi) {
uint me = gid.x * THREADS + gi;
float3 v42 = ((float3)((float3)16.5));
uint64_t v43 = ((uint64_t)abs(In[5]));
double v44 = (+double(int(((b13[(0x6u % 3u)] ? In[7] : 165.359375L) * (b13[((uint)sign(((int)11)) % 3u)] ? In[(gid[0] % 11u)] : In[((uint)((int)2147483647) % 11u)]))) & 255));
uint h45 = (+WaveReadLaneAt(10u, 3));
{ uint f24 = h45 + 3u; h45 ^= f24 * 5u; if (f24 < h45) { int f24 = 2; h45 += f24; } }
h45 = ++Work[me].g;
InterlockedAdd(Acc[6], gtid.x);
int v46 = (-c10);
if (true) {
float3x3 v47 = masked33(mul(masked32((mul(((float3x2)39.5), ((float2x2)(-35.125f))) - abs(float3x2(50.75f, (-9.25), 50.25f, 62.625f, 44.75, 43.125f)))), abs(abs(float2x3((-33.25f), (-0.5), 60.75f, 24.875, 12.0, 7.375f)))));
}
uint h48 = f24((uint2(7u, 19366u) & Work[me]), ((int)v42[1]), ((bool)b16[3]));
{ uint E1 = h48 + 3u; h48 ^= E1 * 5u; if (E1 < h48) { int E1 = 2; h48 += E1; } }
{ int i49 = 0; do {
int v50 = ((int)(v43 ^ (v43 & b14[(tid.b % 3u)])));
}
 while (++i49 < 3 && (((bool)(32.625f + v42[0])) ? ((!true) != (b16[((gi - -gid.y - h48 | me) & 3)] ? b16[((v46 ^ CI.w) & 3)] : b13[(gtid.x % 3u)])) : (k2 != s11))); }
v46 = ((uint)sign(((float)8.375)));
[branch] if (((s11 != s11) ? (k4 != k3) : (k3 == s11))) {
uint v51[4] = c8;
E1 v52 = k4;
InterlockedMin(AccI[0], ((((int)18) * v46) << (v46 & 31)));
}
G17[gi] = ((float)8.375);
GroupMemoryBarrierWithGroupSync();
float g53 = G17[(gi + 8u) % 32u];
GroupMemoryBarrierWithGroupSync();
precise float3 p54 = (((float3((-14.875), (-31.375f), (-63.875f)) * v42) - ((float3((-14.875), (-31.375f), (-63.875f)) * v42) + float3((-44.25), (-13.375), (-39.375f)))) * v42);
Out.Store((me * SLOTS + 0u) * 8u, asuint(p54.x));
Out.Store((me * SLOTS + 1u) * 8u, asuint(p54.y));
Out.Store((me * SLOTS + 2u) * 8u, asuint(p54.z));
Out.Store((me * SLOTS + 3u) * 8u, asuint(v42.x));
Out.Store((me * SLOTS + 4u) * 8u, asuint(v42.y));
Out.Store((me * SLOTS + 5u) * 8u, asuint(v42.z));
Out.Store<uint64_t>((me * SLOTS + 6u) * 8u, v43);
Out.Store<double>((me * SLOTS + 7u) * 8u, v44);
Out.Store((me * SLOTS + 8u) * 8u, (uint)h45);
Out.Store((me * SLOTS + 9u) * 8u, (uint)v46);
Out.Store((me * SLOTS + 10u) * 8u, (uint)h48);
Out.Store((me * SLOTS + 11u) * 8u, asuint(g53));
Out.Store((me * SLOTS + 12u) * 8u, (uint)s11);
}
#ifdef NODE
[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(2, 1, 1)]
#endif
[numthreads(32, 1, 1)]
void main(uint3 tid : SV_DispatchThreadID, uint3 gtid : SV_GroupThreadID, uint3 gid : SV_GroupID, uint gi : SV_GroupIndex) {
body(tid, gtid, gid, gi);
}
