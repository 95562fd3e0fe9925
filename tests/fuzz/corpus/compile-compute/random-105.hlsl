//@ options entry=main 16bit
#define SLOTS 21u
#define THREADS 32
#define MIX(a, b) ((a) * 31u ^ (b))
#define DECLARE(type, name, value) type name = (value)
#define JOIN(a, b) a##b
#define CAT(a, b) JOIN(a, b)
#define VARIADIC(f, ...) f(__VA_ARGS__)
typedef int64_t A5[4];
typedef float16_t A6[3];
typedef int4 A8[4];
enum class E1 { k2, k3, k4 = 76 };
static const int4 c7[4] = { ((int4)0x10000), ((int4)65535), int4((-65536), 1048576, 0xa, 0x21c2), ((int4)(-305419896)), };
static float s9 = (-4.625f);
[[vk::binding(0)]] RWByteAddressBuffer Out;
[[vk::binding(4)]] RWStructuredBuffer<uint> Acc;
[[vk::binding(6)]] RWByteAddressBuffer Own;
[[vk::binding(7)]] RWByteAddressBuffer Bytes;
[[vk::binding(8)]] RWStructuredBuffer<int> AccI;
[[vk::binding(1)]] StructuredBuffer<double> In;
[[vk::binding(3)]] RWStructuredBuffer<float> Work;
[[vk::binding(5)]] cbuffer Block {
int4 CI;
float4 b10;
int16_t3 b11;
int16_t3 b12;
float3 b13;
};
groupshared uint2 G14[THREADS];
groupshared float4 G15[THREADS];
void precise_sum(float a, out precise float r) { r = (a + 0.1f) - a; }
float f16(inout int a17, float4 a18, in uint64_t a19) {
for (int i20 = 1; i20 != 4; i20++) {
const int64_t v21[4] = ((A5)0);
}
uint16_t v22 = ((uint16_t)6);
uint v23 = (+(CI[0] + a17));
int16_t v24 = ((int16_t)7);
return float(int(ceil(float(int((((float)b10.w) * a18.z)) & 63))) & 63);
}
int4 f25(float16_t a26, int16_t a27, int64_t3 a28 = ((int64_t3)((int64_t)15))) {
[unroll] for (int i29 = 3; i29 < 5; i29 += 1) {
uint c30 = dot(uint4(1u, 2147483647u, 23663u, 0xffffu), uint4(13u, 9u, 0x5e22u, 1048576u));
uint c31 = dot4add_u8packed(1u, 65536u, 11u);
uint c32 = (true ? 2097152u : 10u);
uint c33 = 19u;
bool2 l34 = (c30 < c31, c32 > c33);
}
uint3 v35 = uint3(17u, 26254u, 2u);
return CI;
}
int f36(out int16_t a37) {
a37 = ((int16_t)0);
uint h38 = (((uint)((uint64_t)6)) - (16u & 3u));
{ uint E1 = h38 + 3u; h38 ^= E1 * 5u; if (E1 < h38) { int E1 = 2; h38 += E1; } }
if ((!((false ? true : false) || (!false)))) return c7[3][3];
uint v39 = h38;
if (true) return c7[3][2];
return 6;
}
uint f40(float4x2 a41) {
E1 v42 = E1::k2;
E1 v43 = v42;
uint h44 = ((19899u % (2u | 1)) * 8u);
{ uint E1 = h44 + 3u; h44 ^= E1 * 5u; if (E1 < h44) { int E1 = 2; h44 += E1; } }
int16_t v45 = ((int16_t)(-8));
return h44;
}
E1 f46(double3 a47, float3 a48 = float3(14.75, (-44.125f), 50.75f)) {
uint3 v49 = (((uint3)16384u) | (uint3(4u, 4u, 305419896u) & ((uint3)13u) | ~uint3(0xcu, 9u, 18u)));
int16_t v50 = (((true && false) ? (b11[((v49.r & 7u) % 3u)] & ((int16_t)2)) : (false ? ((int16_t)0x1c42) : ((int16_t)10787))) ^ ((int16_t)5));
a47[1] = In[5];
float4x4 v51 = ((float4x4)63.375);
return E1::k3;
}
void body(uint3 tid, uint3 gtid, uint3 gid, uint gi) {
uint me = gid.x * THREADS + gi;
uint64_t v52 = (((-((uint64_t)14) ^ (((uint64_t)0xe7fe124u << 32) | (uint64_t)3u) * (((uint64_t)0x5b732b30u << 32) | (uint64_t)0x6827u) ^ ((uint64_t)4) + ~((uint64_t)2147483647)) * ((((uint64_t)0x28d760bcu << 32) | (uint64_t)8u) & (((uint64_t)0x4c1793b8u << 32) | (uint64_t)262144u))) ^ ((true ? false : false) ? ((uint64_t)abs(s9)) : (((uint64_t)0x12) | ((uint64_t)0x8) | (((uint64_t)0x1134b12u << 32) | (uint64_t)10u) & ((uint64_t)18))));
int v53 = (CI[(3u & 3)] ^ (E1::k3 == E1::k2));
int3 v54 = int3((select(((bool3)false), ((float16_t3)4.5h), float16_t3(7.0h, 3.0h, 4.75h)) <= float16_t3(float16_t3(6.5h, 1.75h, (-2.0h)))));
int4 r55 = f25(float16_t(int(ceil(float16_t(int(mad((-2.75h), (-6.75h), (-2.5h))) & 7))) & 7), ((b12[(tid[2] % 3u)] % ((((int16_t)32767) & 7) + 1)) ^ (b10.a, (b11.b - b11.x))));
f46((+(+double3((-218.375L), (-109.78125L), 229.515625L))), float3(int3(((float3)double3(double2((-39.015625L), (-31.578125L)), (-238.734375L)))) & 63));
float r56 = f16(r55.z, float4(int4(round(b10)) & 63), ((v52 - (((uint64_t)0x3d7cd0cfu << 32) | (uint64_t)8192u)) - (false ? ((uint64_t)0x4) : ((uint64_t)4194304))));
uint x57 = MIX(me, 10u);
float16_t4 v58 = float16_t4(4.0h, (-2.5h), (-3.5h), 6.25h);
int64_t2 v59 = int64_t2((((int64_t)0x20bc613u << 32) | (int64_t)6u), ((int64_t)14));
G14[gi] = uint2(19u, 5u);
GroupMemoryBarrierWithGroupSync();
uint2 g60 = G14[31u - gi];
GroupMemoryBarrierWithGroupSync();
precise float p61 = (((((float)16777217.0f) * (-48.5f)) - ((((float)16777217.0f) * (-48.5f)) + ((float)0.1f))) - (((((float)16777217.0f) * (-48.5f)) - ((((float)16777217.0f) * (-48.5f)) + ((float)0.1f))) + ((float)1.7f)));
p61 = p61 * 1.1f + ((b13[1] + ((float)1e-3f)));
Out.Store((me * SLOTS + 0u) * 8u, asuint(p61));
Out.Store<uint64_t>((me * SLOTS + 1u) * 8u, v52);
Out.Store((me * SLOTS + 2u) * 8u, (uint)v53);
Out.Store((me * SLOTS + 3u) * 8u, (uint)v54.x);
Out.Store((me * SLOTS + 4u) * 8u, (uint)v54.y);
Out.Store((me * SLOTS + 5u) * 8u, (uint)v54.z);
Out.Store((me * SLOTS + 6u) * 8u, (uint)r55.x);
Out.Store((me * SLOTS + 7u) * 8u, (uint)r55.y);
Out.Store((me * SLOTS + 8u) * 8u, (uint)r55.z);
Out.Store((me * SLOTS + 9u) * 8u, (uint)r55.w);
Out.Store((me * SLOTS + 10u) * 8u, asuint(r56));
Out.Store((me * SLOTS + 11u) * 8u, (uint)x57);
Out.Store((me * SLOTS + 12u) * 8u, asuint((float)v58.x));
Out.Store((me * SLOTS + 13u) * 8u, asuint((float)v58.y));
Out.Store((me * SLOTS + 14u) * 8u, asuint((float)v58.z));
Out.Store((me * SLOTS + 15u) * 8u, asuint((float)v58.w));
Out.Store<int64_t>((me * SLOTS + 16u) * 8u, v59.x);
Out.Store<int64_t>((me * SLOTS + 17u) * 8u, v59.y);
Out.Store((me * SLOTS + 18u) * 8u, (uint)g60.x);
Out.Store((me * SLOTS + 19u) * 8u, (uint)g60.y);
Out.Store((me * SLOTS + 20u) * 8u, asuint(s9));
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
