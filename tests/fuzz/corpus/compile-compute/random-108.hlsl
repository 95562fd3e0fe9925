//@ options entry=main 16bit
#define SLOTS 50u
#define THREADS 32
#define MIX(a, b) ((a) * 31u ^ (b))
#define DECLARE(type, name, value) type name = (value)
#define JOIN(a, b) a##b
#define CAT(a, b) JOIN(a, b)
#define VARIADIC(f, ...) f(__VA_ARGS__)
typedef int64_t A9[2];
typedef int16_t4 A11[4];
enum class E1 { k2, k3 = 61, k4 };
enum E5 { k6, k7, k8 = 18 };
static const int16_t4 c10[4] = { ((int16_t4)((int16_t)(-255))), int16_t4(((int16_t)18), ((int16_t)1), ((int16_t)4), ((int16_t)19)), int16_t4(((int16_t)0x12), ((int16_t)0x4), ((int16_t)3), ((int16_t)1)), int16_t4(((int16_t)255), ((int16_t)32767), ((int16_t)0), ((int16_t)1)), };
static const uint c12 = 14u;
static int16_t4 s13[4] = ((A11)0);
struct S14 {
uint4 m15;
bool4 f16(uint a17) {
uint16_t v18 = ((uint16_t)15);
int v19 = ((-(((int)12) ^ true)) & (((int)(-8)) % (((((int)(-13)) * 0x43b5) & 7) + 1)));
return bool4(true, true, true, false);
}
S14 operator-(S14 other) {
S14 r = other;
r.m15 = this.m15 - other.m15;
return r;
}
};
[[vk::binding(0)]] RWByteAddressBuffer Out;
[[vk::binding(4)]] RWStructuredBuffer<uint> Acc;
[[vk::binding(6)]] RWByteAddressBuffer Own;
[[vk::binding(7)]] RWByteAddressBuffer Bytes;
[[vk::binding(8)]] RWStructuredBuffer<int> AccI;
[[vk::binding(1)]] StructuredBuffer<int64_t> In;
[[vk::binding(3)]] RWStructuredBuffer<S14> Work;
[[vk::binding(5)]] cbuffer Block {
int4 CI;
S14 b20;
column_major float4x2 b21;
};
groupshared uint4 G22[THREADS];
groupshared uint16_t2 G23[THREADS];
void precise_sum(float a, out precise float r) { r = (a + 0.1f) - a; }
double f24(out float3 a25, out int16_t4 a26[4]) {
a25 = ((float3)0);
a26 = ((A11)0);
E5 v27 = k6;
E1 v28 = E1::k4;
S14 v29 = b20;
S14 v30 = v29;
return 74.578125L;
}
uint f31(in uint a32, in uint4 a33) {
E1 v34 = E1::k4;
a33 ^= reversebits(b20.m15);
E5 v35 = k7;
return (min(a32, c12) ^ (0xau + a33[0]) + (a32 & true));
}
template<typename T>
T t36(T a, T b) { T c = a ^ b; c += a; return c; }
int16_t f37(float3x2 a38) {
uint h39 = (mul(uint2(19u, 14u), uint2(4096u, 1431655765u)) & true);
{ uint f24 = h39 + 3u; h39 ^= f24 * 5u; if (f24 < h39) { int f24 = 2; h39 += f24; } }
float16_t v40 = (-0.5h);
S14 v41 = b20;
return (((false ? c10[(c12 & 3)].x : c10[(h39 & 3)][(f31(30844u, uint4(10u, 9u, 1431655765u, 0u)) & 3)]) ^ s13[1][0]) - s13[0].a);
}
void body(uint3 tid, uint3 gtid, uint3 gid, uint gi) {
uint me = gid.x * THREADS + gi;
double v42 = double(int(((+(-36.109375L)) - min(130.125L, ((double)(CI[(12u & 3)] & 255))))) & 255);
double4 v43 = double4(int4((double4(197.03125L, 94.5L, 171.234375L, (-92.734375L)) + double4(129.28125L, (-201.21875L), (-196.921875L), 90.078125L))) & 255);
float16_t v44 = float16_t(int(((float16_t)float(int((((float)b21[2][(Work[me].m15.g & 1)]) * abs(b21[3].g))) & 63))) & 7);
E5 v45 = k8;
Work[me].m15.g = mul((gid * -uint3(0x11u, 14u, 0xcu) - gid - -uint3(0x7fffffffu, 6u, 17u)), (QuadReadLaneAt(1u, 0) | tid));
Bytes.InterlockedMin(16u, ((((float)15.0) <= b21[1][(tid.x & 1)]) ? (+b20.m15[(67108864u & 3)]) : f31(gi, b20.m15)));
const int16_t4 v46[4] = ((A11)0);
S14 v47 = Work[me];
int64_t v48 = (((In[7] & In[(Work[me].m15[0] % 11u)]) * clamp(((int)2052), min(CI[1], CI.z), max(CI[1], CI.z))) << ((~(In[(2048u % 11u)] - ((int)(-0x7fffffff)))) & 63));
int3 v49 = select(((uint64_t3(((uint64_t)23450), (((uint64_t)0x790acc2eu << 32) | (uint64_t)0xffffu), ((uint64_t)134217728)) % (uint64_t3((((uint64_t)0x5462f1f5u << 32) | (uint64_t)19u), ((uint64_t)11120), (((uint64_t)0x477ffd17u << 32) | (uint64_t)256u)) | 1)) < (false ? ((uint64_t3)(((uint64_t)0x27a2dd53u << 32) | (uint64_t)16777216u)) : ((uint64_t3)(((uint64_t)0x651c0de7u << 32) | (uint64_t)9u)))), (-(((int3)18) ^ ((int3)18) | ((int3)12) - ((int3)4846))), ((int3)(tid & tid)));
int v50 = ((int)(((uint16_t)1) - (((uint16_t)6) | ((uint16_t)255))));
const E5 v51 = k8;
float q52 = cos(clamp((-50.0f), -3.125f, 3.125f));
Out.Store((me * SLOTS + 0u) * 8u, asuint(q52));
Out.Store<double>((me * SLOTS + 1u) * 8u, v42);
Out.Store<double>((me * SLOTS + 2u) * 8u, v43.x);
Out.Store<double>((me * SLOTS + 3u) * 8u, v43.y);
Out.Store<double>((me * SLOTS + 4u) * 8u, v43.z);
Out.Store<double>((me * SLOTS + 5u) * 8u, v43.w);
Out.Store((me * SLOTS + 6u) * 8u, asuint((float)v44));
Out.Store((me * SLOTS + 7u) * 8u, (uint)v45);
Out.Store((me * SLOTS + 8u) * 8u, (uint)v46[0].x);
Out.Store((me * SLOTS + 9u) * 8u, (uint)v46[0].y);
Out.Store((me * SLOTS + 10u) * 8u, (uint)v46[0].z);
Out.Store((me * SLOTS + 11u) * 8u, (uint)v46[0].w);
Out.Store((me * SLOTS + 12u) * 8u, (uint)v46[1].x);
Out.Store((me * SLOTS + 13u) * 8u, (uint)v46[1].y);
Out.Store((me * SLOTS + 14u) * 8u, (uint)v46[1].z);
Out.Store((me * SLOTS + 15u) * 8u, (uint)v46[1].w);
Out.Store((me * SLOTS + 16u) * 8u, (uint)v46[2].x);
Out.Store((me * SLOTS + 17u) * 8u, (uint)v46[2].y);
Out.Store((me * SLOTS + 18u) * 8u, (uint)v46[2].z);
Out.Store((me * SLOTS + 19u) * 8u, (uint)v46[2].w);
Out.Store((me * SLOTS + 20u) * 8u, (uint)v46[3].x);
Out.Store((me * SLOTS + 21u) * 8u, (uint)v46[3].y);
Out.Store((me * SLOTS + 22u) * 8u, (uint)v46[3].z);
Out.Store((me * SLOTS + 23u) * 8u, (uint)v46[3].w);
Out.Store((me * SLOTS + 24u) * 8u, (uint)v47.m15.x);
Out.Store((me * SLOTS + 25u) * 8u, (uint)v47.m15.y);
Out.Store((me * SLOTS + 26u) * 8u, (uint)v47.m15.z);
Out.Store((me * SLOTS + 27u) * 8u, (uint)v47.m15.w);
Out.Store<int64_t>((me * SLOTS + 28u) * 8u, v48);
Out.Store((me * SLOTS + 29u) * 8u, (uint)v49.x);
Out.Store((me * SLOTS + 30u) * 8u, (uint)v49.y);
Out.Store((me * SLOTS + 31u) * 8u, (uint)v49.z);
Out.Store((me * SLOTS + 32u) * 8u, (uint)v50);
Out.Store((me * SLOTS + 33u) * 8u, (uint)v51);
Out.Store((me * SLOTS + 34u) * 8u, (uint)s13[0].x);
Out.Store((me * SLOTS + 35u) * 8u, (uint)s13[0].y);
Out.Store((me * SLOTS + 36u) * 8u, (uint)s13[0].z);
Out.Store((me * SLOTS + 37u) * 8u, (uint)s13[0].w);
Out.Store((me * SLOTS + 38u) * 8u, (uint)s13[1].x);
Out.Store((me * SLOTS + 39u) * 8u, (uint)s13[1].y);
Out.Store((me * SLOTS + 40u) * 8u, (uint)s13[1].z);
Out.Store((me * SLOTS + 41u) * 8u, (uint)s13[1].w);
Out.Store((me * SLOTS + 42u) * 8u, (uint)s13[2].x);
Out.Store((me * SLOTS + 43u) * 8u, (uint)s13[2].y);
Out.Store((me * SLOTS + 44u) * 8u, (uint)s13[2].z);
Out.Store((me * SLOTS + 45u) * 8u, (uint)s13[2].w);
Out.Store((me * SLOTS + 46u) * 8u, (uint)s13[3].x);
Out.Store((me * SLOTS + 47u) * 8u, (uint)s13[3].y);
Out.Store((me * SLOTS + 48u) * 8u, (uint)s13[3].z);
Out.Store((me * SLOTS + 49u) * 8u, (uint)s13[3].w);
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
