//@ options entry=main 16bit row-major
#define SLOTS 31u
#define THREADS 32
#define MIX(a, b) ((a) * 31u ^ (b))
#define DECLARE(type, name, value) type name = (value)
#define JOIN(a, b) a##b
#define CAT(a, b) JOIN(a, b)
#define VARIADIC(f, ...) f(__VA_ARGS__)
typedef uint A11[4];
typedef uint16_t A12[5];
typedef int2 A13[3];
enum class E1 { k2 = 21, k3, k4, k5 = 10 };
enum class E6 { k7 = 38, k8 = 79, k9, k10 };
static const int16_t c14 = ((int16_t)18);
static int2 s15[3] = ((A13)0);
[[vk::binding(0)]] RWByteAddressBuffer Out;
[[vk::binding(4)]] RWStructuredBuffer<uint> Acc;
[[vk::binding(6)]] RWByteAddressBuffer Own;
[[vk::binding(7)]] RWByteAddressBuffer Bytes;
[[vk::binding(8)]] RWStructuredBuffer<int> AccI;
[[vk::binding(1)]] StructuredBuffer<int64_t3> In;
[[vk::binding(3)]] RWStructuredBuffer<double2> Work;
[[vk::binding(5)]] cbuffer Block {
int4 CI;
float4x3 b16;
};
groupshared uint2 G17[THREADS];
groupshared float4x2 G18[THREADS];
void precise_sum(float a, out precise float r) { r = (a + 0.1f) - a; }
float16_t4 f19(uint a20, in E6 a21) {
uint h22 = (unpack_u8u32((uint8_t4_packed)(a20 | ((int)14)))).x;
{ uint E6 = h22 + 3u; h22 ^= E6 * 5u; if (E6 < h22) { int E6 = 2; h22 += E6; } }
{ uint i23 = 0; do {
[branch] if (((bool)(clamp(CI[(i23 & 3)], min(s15[((a20 | 12054u) % 3u)][1], CI.b), max(s15[((a20 | 12054u) % 3u)][1], CI.b)) * abs(CI[(h22 & 3)])))) {
E6 v24 = a21;
{ int i25 = 0; do {
bool b26 = ((E1::k2 != E1::k5) != (!false)) && (h22-- != 3);
}
 while (++i25 < 4 && ((!false) && true)); }
int v27 = CI.a;
}
else {
int v28 = 0xc;
}
double v29 = 185.265625L;
}
 while (++i23 < 2 && true); }
int3 v30 = int3(7, 6, 31088);
uint c31 = a20;
uint c32 = 16u;
uint c33 = a20;
uint c34 = h22;
bool2 l35 = { c31 < c32, c33 > c34 };
return ((float16_t4)3.25h);
}
template<uint N, typename T>
T t36(T a, T b) { if (N > 2) return a ^ b; return a & b; }
float f37() {
uint64_t v38 = (((uint64_t)0x5697a342u << 32) | (uint64_t)13u);
uint v39[4] = ((A11)0);
uint16_t v40[5] = ((A12)0);
return ((float)(dot((uint2(65535u, 10u) * uint2(0u, 0x16d5u)), uint2(13u, 2u)) & 63));
}
float f41(uint a42, int a43 = 0x3) {
uint c44 = (0x1u * a42);
uint c45 = (4u ^ a42);
uint c46 = (16u + a42);
uint c47 = (s15[1].grgg, (a42 | 131072u));
bool2 l48 = (c44 < c45, c46 > c47);
uint16_t v49[5] = ((A12)0);
return float(int(mul(float2(int2((round(float4(6.5, 52.875, 28.5, 51.0f))).aa) & 63), ((float2)((int2(5, (-0x3)) * ((int2)19)) & 63)))) & 63);
}
void body(uint3 tid, uint3 gtid, uint3 gid, uint gi) {
uint me = gid.x * THREADS + gi;
float v50 = float(int(((E6::k7 != E6::k9) ? dot(abs(((float2)(-38.125f))), float2(int2((b16._33_21 - float2(50.25, 35.375))) & 63)) : ((float)(mul(s15[((unpack_u8u32((uint8_t4_packed)gi)).y % 3u)], s15[(gi % 3u)]) & 63)))) & 63);
float4x2 v51 = ((float4x2)30.375);
int v52 = WaveReadLaneFirst(s15[((1024u - gi) % 3u)].g);
v51._11_21 = float2(int2(((((float2)((float2)(-3.875f))) - float2((-63.0f), (-39.0))) * (max(b16._11_41, v51[0]) - (v51[2] + float2(18.875f, 25.375))))) & 63);
uint16_t v53[5] = ((A12)0);
float v54 = float(int(lerp(step(float(int(mul(v51[0].grr, b16._m22_m01_m11)) & 63), ((float)(((int64_t)0x7) & 63))), ((65536u >= 0x4u) ? ((float)(gtid.g & 63)) : f41(gid.r)), v50)) & 63);
s15[((uint)(v52 - s15[2][1]) % 3u)].y = t36<3>(t36<3>(s15[(gi % 3u)].y, (((int)0x4) | CI[1] ^ s15[((uint)(CI[2] & -v52 - v52 - s15[2][0] - CI[1]) % 3u)].x)), clamp((CI.x >> (9 & 31)), min((((int)0) | v52), mul(((int2)(-0x4)), s15[1])), max((((int)0) | v52), mul(((int2)(-0x4)), s15[1]))));
float16_t4 r55 = f19(tid[2], E6::k9);
for (uint i56 = 0; i56 < 2; i56 += 1) {
float r57 = f41((mul(gtid.zz, gtid.br) * (i56 - gtid.g)), (s15[(0x9u % 3u)].g << ((((int)19) / ((CI.x & 7) + 1)) & 31)));
}
uint x58 = VARIADIC(min, (((uint)19u) + (gtid.b ^ tid.x)), mad((false ? 16846u : gid.y), (11u | gtid[2]), gtid.b));
int v59 = (((s15[1][(((int)15) & 1)] & v52) | CI.w) & CI.a);
--x58;
float v60 = false;
precise float p61 = (((((float)0.1f) * ((float)63.125)) - ((((float)0.1f) * ((float)63.125)) + ((float)12345.678f))) * v54);
p61 = p61 * 1.1f + ((27.75f * ((float)1e-3f)));
Out.Store((me * SLOTS + 0u) * 8u, asuint(p61));
float q62 = length(float2((-62.125f), v60));
Out.Store((me * SLOTS + 1u) * 8u, asuint(q62));
Out.Store((me * SLOTS + 2u) * 8u, asuint(v50));
Out.Store((me * SLOTS + 3u) * 8u, asuint(v51._m00));
Out.Store((me * SLOTS + 4u) * 8u, asuint(v51._m01));
Out.Store((me * SLOTS + 5u) * 8u, asuint(v51._m10));
Out.Store((me * SLOTS + 6u) * 8u, asuint(v51._m11));
Out.Store((me * SLOTS + 7u) * 8u, asuint(v51._m20));
Out.Store((me * SLOTS + 8u) * 8u, asuint(v51._m21));
Out.Store((me * SLOTS + 9u) * 8u, asuint(v51._m30));
Out.Store((me * SLOTS + 10u) * 8u, asuint(v51._m31));
Out.Store((me * SLOTS + 11u) * 8u, (uint)v52);
Out.Store((me * SLOTS + 12u) * 8u, (uint)v53[0]);
Out.Store((me * SLOTS + 13u) * 8u, (uint)v53[1]);
Out.Store((me * SLOTS + 14u) * 8u, (uint)v53[2]);
Out.Store((me * SLOTS + 15u) * 8u, (uint)v53[3]);
Out.Store((me * SLOTS + 16u) * 8u, (uint)v53[4]);
Out.Store((me * SLOTS + 17u) * 8u, asuint(v54));
Out.Store((me * SLOTS + 18u) * 8u, asuint((float)r55.x));
Out.Store((me * SLOTS + 19u) * 8u, asuint((float)r55.y));
Out.Store((me * SLOTS + 20u) * 8u, asuint((float)r55.z));
Out.Store((me * SLOTS + 21u) * 8u, asuint((float)r55.w));
Out.Store((me * SLOTS + 22u) * 8u, (uint)x58);
Out.Store((me * SLOTS + 23u) * 8u, (uint)v59);
Out.Store((me * SLOTS + 24u) * 8u, asuint(v60));
Out.Store((me * SLOTS + 25u) * 8u, (uint)s15[0].x);
Out.Store((me * SLOTS + 26u) * 8u, (uint)s15[0].y);
Out.Store((me * SLOTS + 27u) * 8u, (uint)s15[1].x);
Out.Store((me * SLOTS + 28u) * 8u, (uint)s15[1].y);
Out.Store((me * SLOTS + 29u) * 8u, (uint)s15[2].x);
Out.Store((me * SLOTS + 30u) * 8u, (uint)s15[2].y);
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
