//@ options entry=main 16bit
#define SLOTS 58u
#define THREADS 32
#define MIX(a, b) ((a) * 31u ^ (b))
#define DECLARE(type, name, value) type name = (value)
#define JOIN(a, b) a##b
#define CAT(a, b) JOIN(a, b)
#define VARIADIC(f, ...) f(__VA_ARGS__)
typedef double2 A9[5];
typedef uint64_t3 A15[2];
enum class E1 { k2 = 98, k3, k4 };
enum E5 { k6, k7, k8 };
static const uint64_t c10 = ((uint64_t)10147);
static double2 s11[5] = ((A9)0);
static int s12 = 18;
interface I22 { float f17(); };
struct S13 : I22 {
uint64_t3 m14[2];
float2x2 m16;
float f17() {
float v18 = float(int(mad(min(float(int((m16._m00 + (-31.0))) & 63), ((float)(-42.0))), float(int(ceil(float(int((m16[0][0] + (-29.875f))) & 63))) & 63), m16._21)) & 63);
uint v19 = 14u;
uint v20 = v19;
int v21 = s12;
return m16[1][1];
}
};
[[vk::binding(0)]] RWByteAddressBuffer Out;
[[vk::binding(4)]] RWStructuredBuffer<uint> Acc;
[[vk::binding(6)]] RWByteAddressBuffer Own;
[[vk::binding(7)]] RWByteAddressBuffer Bytes;
[[vk::binding(8)]] RWStructuredBuffer<int> AccI;
[[vk::binding(1)]] StructuredBuffer<S13> In;
[[vk::binding(3)]] RWStructuredBuffer<uint64_t2> Work;
[[vk::binding(5)]] cbuffer Block {
int4 CI;
float3x2 b23;
double b24;
S13 b25;
};
groupshared int G26[THREADS];
groupshared int64_t G27[THREADS];
void precise_sum(float a, out precise float r) { r = (a + 0.1f) - a; }
float4x2 f28(float a29, int16_t2 a30, uint16_t a31) {
DECLARE(uint, x32, mul((19u * uint3(0x55555555u, 12u, 5u)), (uint3(11u, 0xdu, 24732u) | ((uint3)0x9u))));
int64_t v33 = ((int64_t)(-19));
return float4x2(40.375f, 47.75, (-32.625f), 3.875, (-27.0f), (-60.125f), (-29.0f), 29.0);
}
uint64_t4 f34() {
uint h35 = ((0xdu * 128u) - 0x13u);
{ uint E1 = h35 + 3u; h35 ^= E1 * 5u; if (E1 < h35) { int E1 = 2; h35 += E1; } }
float2 v36 = min(b23[(h35 % 3u)], saturate(float2(int2((In[(8u % 11u)].m16[1] + b23[2])) & 63)));
float4x2 r37 = f28(v36[0], int16_t2(((int16_t)0x76a6), ((int16_t)(-0x5))), ((uint16_t)0xf));
h35 = h35;
return uint64_t4(((uint64_t)2), (((uint64_t)0x589fd800u << 32) | (uint64_t)0u), ((uint64_t)30570), (((uint64_t)0x219e774cu << 32) | (uint64_t)0x10000u));
}
void body(uint3 tid, uint3 gtid, uint3 gid, uint gi) {
uint me = gid.x * THREADS + gi;
const uint64_t3 v38[2] = ((A15)0);
S13 v39 = In[((uint)(CI.r ^ CI.r) % 11u)];
const uint v40 = WavePrefixCountBits(true);
bool v41 = all((!or(bool4(false, true, true, true), bool4(true, false, false, true))));
Own.Store<int64_t>(me * 384u + 0u, (((E1::k4 == E1::k3) ? (((int64_t)29350) - ((int64_t)(-3))) : ((int64_t)1)) / (((((int64_t)((uint16_t)0x7d7c)) - (false ? ((int64_t)8) : ((int64_t)0xc))) & 7) + 1)));
S13 v42 = v39;
uint h43 = ((uint)pack_clamp_s8((CI % ((int4((-9), 0x1647, 14604, 3) & 7) + 1)) + (int)gi));
{ uint E5 = h43 + 3u; h43 ^= E5 * 5u; if (E5 < h43) { int E5 = 2; h43 += E5; } }
float4x2 r44 = f28(((float)((25045u ^ gtid.r) & 63)), (int16_t2(((int16_t)(-31276)), ((int16_t)0)) | int16_t2(((int16_t)0xd), ((int16_t)(-0x9))) | -((int16_t2)((int16_t)0x7fff))), ((((uint16_t)4) ^ ((uint16_t)0x5555) * ((uint16_t)29749)) * ((uint16_t)15)));
float3x3 v45 = float3x3((-54.25), 3.0f, (-55.0), 5.875f, (-48.5), 59.25, 24.625, (-24.625f), (-20.25));
float q46 = atan(abs(((float)(-11.25))) + 0.5f);
Out.Store((me * SLOTS + 0u) * 8u, asuint(q46));
Out.Store<uint64_t>((me * SLOTS + 1u) * 8u, v38[0].x);
Out.Store<uint64_t>((me * SLOTS + 2u) * 8u, v38[0].y);
Out.Store<uint64_t>((me * SLOTS + 3u) * 8u, v38[0].z);
Out.Store<uint64_t>((me * SLOTS + 4u) * 8u, v38[1].x);
Out.Store<uint64_t>((me * SLOTS + 5u) * 8u, v38[1].y);
Out.Store<uint64_t>((me * SLOTS + 6u) * 8u, v38[1].z);
Out.Store<uint64_t>((me * SLOTS + 7u) * 8u, v39.m14[0].x);
Out.Store<uint64_t>((me * SLOTS + 8u) * 8u, v39.m14[0].y);
Out.Store<uint64_t>((me * SLOTS + 9u) * 8u, v39.m14[0].z);
Out.Store<uint64_t>((me * SLOTS + 10u) * 8u, v39.m14[1].x);
Out.Store<uint64_t>((me * SLOTS + 11u) * 8u, v39.m14[1].y);
Out.Store<uint64_t>((me * SLOTS + 12u) * 8u, v39.m14[1].z);
Out.Store((me * SLOTS + 13u) * 8u, asuint(v39.m16._m00));
Out.Store((me * SLOTS + 14u) * 8u, asuint(v39.m16._m01));
Out.Store((me * SLOTS + 15u) * 8u, asuint(v39.m16._m10));
Out.Store((me * SLOTS + 16u) * 8u, asuint(v39.m16._m11));
Out.Store((me * SLOTS + 17u) * 8u, (uint)v40);
Out.Store((me * SLOTS + 18u) * 8u, (uint)v41);
Out.Store<uint64_t>((me * SLOTS + 19u) * 8u, v42.m14[0].x);
Out.Store<uint64_t>((me * SLOTS + 20u) * 8u, v42.m14[0].y);
Out.Store<uint64_t>((me * SLOTS + 21u) * 8u, v42.m14[0].z);
Out.Store<uint64_t>((me * SLOTS + 22u) * 8u, v42.m14[1].x);
Out.Store<uint64_t>((me * SLOTS + 23u) * 8u, v42.m14[1].y);
Out.Store<uint64_t>((me * SLOTS + 24u) * 8u, v42.m14[1].z);
Out.Store((me * SLOTS + 25u) * 8u, asuint(v42.m16._m00));
Out.Store((me * SLOTS + 26u) * 8u, asuint(v42.m16._m01));
Out.Store((me * SLOTS + 27u) * 8u, asuint(v42.m16._m10));
Out.Store((me * SLOTS + 28u) * 8u, asuint(v42.m16._m11));
Out.Store((me * SLOTS + 29u) * 8u, (uint)h43);
Out.Store((me * SLOTS + 30u) * 8u, asuint(r44._m00));
Out.Store((me * SLOTS + 31u) * 8u, asuint(r44._m01));
Out.Store((me * SLOTS + 32u) * 8u, asuint(r44._m10));
Out.Store((me * SLOTS + 33u) * 8u, asuint(r44._m11));
Out.Store((me * SLOTS + 34u) * 8u, asuint(r44._m20));
Out.Store((me * SLOTS + 35u) * 8u, asuint(r44._m21));
Out.Store((me * SLOTS + 36u) * 8u, asuint(r44._m30));
Out.Store((me * SLOTS + 37u) * 8u, asuint(r44._m31));
Out.Store((me * SLOTS + 38u) * 8u, asuint(v45._m00));
Out.Store((me * SLOTS + 39u) * 8u, asuint(v45._m01));
Out.Store((me * SLOTS + 40u) * 8u, asuint(v45._m02));
Out.Store((me * SLOTS + 41u) * 8u, asuint(v45._m10));
Out.Store((me * SLOTS + 42u) * 8u, asuint(v45._m11));
Out.Store((me * SLOTS + 43u) * 8u, asuint(v45._m12));
Out.Store((me * SLOTS + 44u) * 8u, asuint(v45._m20));
Out.Store((me * SLOTS + 45u) * 8u, asuint(v45._m21));
Out.Store((me * SLOTS + 46u) * 8u, asuint(v45._m22));
Out.Store<double>((me * SLOTS + 47u) * 8u, s11[0].x);
Out.Store<double>((me * SLOTS + 48u) * 8u, s11[0].y);
Out.Store<double>((me * SLOTS + 49u) * 8u, s11[1].x);
Out.Store<double>((me * SLOTS + 50u) * 8u, s11[1].y);
Out.Store<double>((me * SLOTS + 51u) * 8u, s11[2].x);
Out.Store<double>((me * SLOTS + 52u) * 8u, s11[2].y);
Out.Store<double>((me * SLOTS + 53u) * 8u, s11[3].x);
Out.Store<double>((me * SLOTS + 54u) * 8u, s11[3].y);
Out.Store<double>((me * SLOTS + 55u) * 8u, s11[4].x);
Out.Store<double>((me * SLOTS + 56u) * 8u, s11[4].y);
Out.Store((me * SLOTS + 57u) * 8u, (uint)s12);
}
#ifdef NODE
[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
#endif
[numthreads(32, 1, 1)]
void main(uint3 tid : SV_DispatchThreadID, uint3 gtid : SV_GroupThreadID, uint3 gid : SV_GroupID, uint gi : SV_GroupIndex) {
body(tid, gtid, gid, gi);
}
