//@ options entry=main 16bit
#define SLOTS 70u
#define THREADS 32
#define MIX(a, b) ((a) * 31u ^ (b))
#define DECLARE(type, name, value) type name = (value)
#define JOIN(a, b) a##b
#define CAT(a, b) JOIN(a, b)
#define VARIADIC(f, ...) f(__VA_ARGS__)
typedef uint A4[4];
typedef uint64_t A5[4];
typedef float A7[4];
typedef double A11[5];
typedef uint16_t A13[4];
typedef uint64_t4 A15[4];
typedef float4x4 A30[2];
enum E1 { k2, k3 };
static const float c6[4] = { 29.75f, (-50.125f), 30.125, 32.75f, };
static int16_t s8 = ((int16_t)(-14956));
struct S9 {
double m10[5];
uint16_t m12[4];
uint64_t4 m14[4];
float16_t2 m16;
float4x3 f17(int64_t a18) {
float v19 = float(int((((bool)(true != true)) ? mul(float3(int3((((float3)0.625) * float3(50.75f, (-0.875f), 50.875f))) & 63), float3(int3((float3((-63.875), (-19.25f), 12.125) - ((float3)6.125f))) & 63)) : c6[(65535u & 3)])) & 63);
int64_t v20 = ((int)10);
int v21 = 7;
bool v22 = true;
return float4x3(48.375, (-18.375f), 43.5, (-61.375f), (-29.625), 49.25f, 58.25, (-28.25), 62.375, 55.75, 1.25, 62.375);
}
bool f23(int64_t a24, in int a25, uint64_t a26) {
[loop] for (uint i27 = 1; i27 < 3; i27++) {
if (true) continue;
S9 v28 = ((S9)0);
uint h29 = ((uint4)unpack_s8s32((int8_t4_packed)(true ? 0xdu : 6u))).y;
{ uint E1 = h29 + 3u; h29 ^= E1 * 5u; if (E1 < h29) { int E1 = 2; h29 += E1; } }
}
return (((float)c6[(16u & 3)]) > mad(float(int(lerp(c6[(1024u & 3)], c6[3], c6[3])) & 63), (-24.0f), c6[2]));
}
};
[[vk::binding(0)]] RWByteAddressBuffer Out;
[[vk::binding(4)]] RWStructuredBuffer<uint> Acc;
[[vk::binding(6)]] RWByteAddressBuffer Own;
[[vk::binding(7)]] RWByteAddressBuffer Bytes;
[[vk::binding(8)]] RWStructuredBuffer<int> AccI;
[[vk::binding(1)]] StructuredBuffer<S9> In;
[[vk::binding(3)]] RWStructuredBuffer<float4x3> Work;
[[vk::binding(5)]] cbuffer Block {
int4 CI;
float4x4 b31[2];
};
groupshared int2 G32[THREADS];
groupshared float4x4 G33[THREADS];
void precise_sum(float a, out precise float r) { r = (a + 0.1f) - a; }
bool f34() {
uint x35 = MIX(((uint4(0xfu, 2u, 134217728u, 65535u) << (uint4(24415u, 11u, 1u, 65536u) & 31)), (((uint)((uint16_t)24963)) ^ (CI.b + CI[(CI.g & 3)]))), countbits(mul(((uint2)4194304u), ((uint2)17u))));
return true;
}
uint64_t f36() {
int64_t2 v37 = int64_t2(((int64_t)(-65536)), ((int64_t)8));
if (all(trunc(max(float2(57.625f, 36.25), b31[0]._m00_m03)))) {
bool r38 = f34();
int3 v39 = (clamp(select(bool3(true, true, false), int3(0x10, 0x6f16, (-0x5a3f)), CI.rbg), min(int3(19, 33554432, 19), int3(1431655765, 2, (-131072))), max(int3(19, 33554432, 19), int3(1431655765, 2, (-131072))))).brg;
}
else {
float2 v40 = float2(45.875f, 5.0);
}
return In[1].m14[3][3];
}
void body(uint3 tid, uint3 gtid, uint3 gid, uint gi) {
uint me = gid.x * THREADS + gi;
S9 v41 = In[((uint)CI[1] % 11u)];
uint2 v42 = uint2(0x4d6eu, 15u);
bool v43 = ((bool)6.75h);
v43 = f34();
int3 v44 = ((int3)((gid & v42.yxx * tid * uint3(18u, 0x8u, 0x1000000u) * gid)).rgr);
bool r45 = f34();
uint c46 = ((uint)13u);
uint c47 = me;
uint c48 = ((uint)v43);
uint c49 = clamp(v42.x, min(16u, gi), max(16u, gi));
bool2 l50 = and(bool2(c46 < c47, c48 >> 1 > c49), c46 <= c47);
G32[gi] = int2(10, 3);
GroupMemoryBarrierWithGroupSync();
int2 g51 = G32[(gi + 26u) % 32u];
GroupMemoryBarrierWithGroupSync();
uint16_t v52 = (((In[(0xau % 11u)].m12[(g51[0] & 3)] | ((uint16_t)27491)) % ((me, (((uint16_t)15) | ((uint16_t)0x8))) | 1)) | (In[0].m12[((-v42[0]) & 3)] ^ v41.m12[2] - ((uint16_t)19) + ~((uint16_t)8)));
bool r53 = f34();
S9 v54 = In[(me % 11u)];
v43 = (!((!r53) ? (v43 && r45) : (k3 != k3)));
if (r45) {
Bytes.InterlockedMax(20u, ((305419896u + 19u) & ((int)(((uint64_t)0x19a6789fu << 32) | (uint64_t)8192u))));
E1 v55 = k3;
}
else {
uint64_t r56 = f36();
S9 v57 = v54;
}
uint64_t r58 = f36();
s8 += s8;
double v59 = v41.m10[0];
Out.Store<double>((me * SLOTS + 0u) * 8u, v41.m10[0]);
Out.Store<double>((me * SLOTS + 1u) * 8u, v41.m10[1]);
Out.Store<double>((me * SLOTS + 2u) * 8u, v41.m10[2]);
Out.Store<double>((me * SLOTS + 3u) * 8u, v41.m10[3]);
Out.Store<double>((me * SLOTS + 4u) * 8u, v41.m10[4]);
Out.Store((me * SLOTS + 5u) * 8u, (uint)v41.m12[0]);
Out.Store((me * SLOTS + 6u) * 8u, (uint)v41.m12[1]);
Out.Store((me * SLOTS + 7u) * 8u, (uint)v41.m12[2]);
Out.Store((me * SLOTS + 8u) * 8u, (uint)v41.m12[3]);
Out.Store<uint64_t>((me * SLOTS + 9u) * 8u, v41.m14[0].x);
Out.Store<uint64_t>((me * SLOTS + 10u) * 8u, v41.m14[0].y);
Out.Store<uint64_t>((me * SLOTS + 11u) * 8u, v41.m14[0].z);
Out.Store<uint64_t>((me * SLOTS + 12u) * 8u, v41.m14[0].w);
Out.Store<uint64_t>((me * SLOTS + 13u) * 8u, v41.m14[1].x);
Out.Store<uint64_t>((me * SLOTS + 14u) * 8u, v41.m14[1].y);
Out.Store<uint64_t>((me * SLOTS + 15u) * 8u, v41.m14[1].z);
Out.Store<uint64_t>((me * SLOTS + 16u) * 8u, v41.m14[1].w);
Out.Store<uint64_t>((me * SLOTS + 17u) * 8u, v41.m14[2].x);
Out.Store<uint64_t>((me * SLOTS + 18u) * 8u, v41.m14[2].y);
Out.Store<uint64_t>((me * SLOTS + 19u) * 8u, v41.m14[2].z);
Out.Store<uint64_t>((me * SLOTS + 20u) * 8u, v41.m14[2].w);
Out.Store<uint64_t>((me * SLOTS + 21u) * 8u, v41.m14[3].x);
Out.Store<uint64_t>((me * SLOTS + 22u) * 8u, v41.m14[3].y);
Out.Store<uint64_t>((me * SLOTS + 23u) * 8u, v41.m14[3].z);
Out.Store<uint64_t>((me * SLOTS + 24u) * 8u, v41.m14[3].w);
Out.Store((me * SLOTS + 25u) * 8u, asuint((float)v41.m16.x));
Out.Store((me * SLOTS + 26u) * 8u, asuint((float)v41.m16.y));
Out.Store((me * SLOTS + 27u) * 8u, (uint)v42.x);
Out.Store((me * SLOTS + 28u) * 8u, (uint)v42.y);
Out.Store((me * SLOTS + 29u) * 8u, (uint)v43);
Out.Store((me * SLOTS + 30u) * 8u, (uint)v44.x);
Out.Store((me * SLOTS + 31u) * 8u, (uint)v44.y);
Out.Store((me * SLOTS + 32u) * 8u, (uint)v44.z);
Out.Store((me * SLOTS + 33u) * 8u, (uint)r45);
Out.Store((me * SLOTS + 34u) * 8u, (uint)l50.x);
Out.Store((me * SLOTS + 35u) * 8u, (uint)l50.y);
Out.Store((me * SLOTS + 36u) * 8u, (uint)g51.x);
Out.Store((me * SLOTS + 37u) * 8u, (uint)g51.y);
Out.Store((me * SLOTS + 38u) * 8u, (uint)v52);
Out.Store((me * SLOTS + 39u) * 8u, (uint)r53);
Out.Store<double>((me * SLOTS + 40u) * 8u, v54.m10[0]);
Out.Store<double>((me * SLOTS + 41u) * 8u, v54.m10[1]);
Out.Store<double>((me * SLOTS + 42u) * 8u, v54.m10[2]);
Out.Store<double>((me * SLOTS + 43u) * 8u, v54.m10[3]);
Out.Store<double>((me * SLOTS + 44u) * 8u, v54.m10[4]);
Out.Store((me * SLOTS + 45u) * 8u, (uint)v54.m12[0]);
Out.Store((me * SLOTS + 46u) * 8u, (uint)v54.m12[1]);
Out.Store((me * SLOTS + 47u) * 8u, (uint)v54.m12[2]);
Out.Store((me * SLOTS + 48u) * 8u, (uint)v54.m12[3]);
Out.Store<uint64_t>((me * SLOTS + 49u) * 8u, v54.m14[0].x);
Out.Store<uint64_t>((me * SLOTS + 50u) * 8u, v54.m14[0].y);
Out.Store<uint64_t>((me * SLOTS + 51u) * 8u, v54.m14[0].z);
Out.Store<uint64_t>((me * SLOTS + 52u) * 8u, v54.m14[0].w);
Out.Store<uint64_t>((me * SLOTS + 53u) * 8u, v54.m14[1].x);
Out.Store<uint64_t>((me * SLOTS + 54u) * 8u, v54.m14[1].y);
Out.Store<uint64_t>((me * SLOTS + 55u) * 8u, v54.m14[1].z);
Out.Store<uint64_t>((me * SLOTS + 56u) * 8u, v54.m14[1].w);
Out.Store<uint64_t>((me * SLOTS + 57u) * 8u, v54.m14[2].x);
Out.Store<uint64_t>((me * SLOTS + 58u) * 8u, v54.m14[2].y);
Out.Store<uint64_t>((me * SLOTS + 59u) * 8u, v54.m14[2].z);
Out.Store<uint64_t>((me * SLOTS + 60u) * 8u, v54.m14[2].w);
Out.Store<uint64_t>((me * SLOTS + 61u) * 8u, v54.m14[3].x);
Out.Store<uint64_t>((me * SLOTS + 62u) * 8u, v54.m14[3].y);
Out.Store<uint64_t>((me * SLOTS + 63u) * 8u, v54.m14[3].z);
Out.Store<uint64_t>((me * SLOTS + 64u) * 8u, v54.m14[3].w);
Out.Store((me * SLOTS + 65u) * 8u, asuint((float)v54.m16.x));
Out.Store((me * SLOTS + 66u) * 8u, asuint((float)v54.m16.y));
Out.Store<uint64_t>((me * SLOTS + 67u) * 8u, r58);
Out.Store<double>((me * SLOTS + 68u) * 8u, v59);
Out.Store((me * SLOTS + 69u) * 8u, (uint)s8);
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
