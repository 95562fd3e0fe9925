//@ options entry=main 16bit row-major
#define SLOTS 37u
#define THREADS 16
#define MIX(a, b) ((a) * 31u ^ (b))
#define DECLARE(type, name, value) type name = (value)
#define JOIN(a, b) a##b
#define CAT(a, b) JOIN(a, b)
#define VARIADIC(f, ...) f(__VA_ARGS__)
float3x4 masked34(float3x4 m) {
m[0] = float4(int4(m[0]) & 63);
m[1] = float4(int4(m[1]) & 63);
m[2] = float4(int4(m[2]) & 63);
return m;
}
typedef float16_t A1[4];
typedef bool A2[5];
typedef int A4[4];
static const int c3[4] = { 3, 0x12, (-9), (-9466), };
static int64_t3 s5 = int64_t3((((int64_t)0x2d10645du << 32) | (int64_t)0xfu), ((int64_t)0x100000), (((int64_t)0x73086ca5u << 32) | (int64_t)0xeu));
static int64_t s6 = ((int64_t)(-5));
[[vk::binding(0)]] RWByteAddressBuffer Out;
[[vk::binding(4)]] RWStructuredBuffer<uint> Acc;
[[vk::binding(6)]] RWByteAddressBuffer Own;
[[vk::binding(7)]] RWByteAddressBuffer Bytes;
[[vk::binding(8)]] RWStructuredBuffer<int> AccI;
[[vk::binding(1)]] StructuredBuffer<uint64_t> In;
[[vk::binding(3)]] RWStructuredBuffer<float> Work;
[[vk::binding(5)]] cbuffer Block {
int4 CI;
double b7;
row_major float2x2 b8;
};
groupshared uint G9[THREADS];
groupshared int64_t G10[THREADS];
void precise_sum(float a, out precise float r) { r = (a + 0.1f) - a; }
int3 f11(in float16_t a12, float3x4 a13) {
bool v14[5] = ((A2)0);
uint16_t3 v15 = (((((int16_t)0x4) >= ((int16_t)0)) ? (uint16_t3(((uint16_t)32767), ((uint16_t)0x3734), ((uint16_t)3)) | ((uint16_t)8)) : uint16_t3(((uint16_t3)((uint16_t)11)))) & uint16_t3(((uint16_t)31690), ((uint16_t)0x7), ((uint16_t)2238)));
const int v16 = true;
a12 = a12;
return CI.xyz;
}
int3 f17() {
uint c18 = (0x6ffeu % (0xbu | 1));
uint c19 = (b8._m10, (0x200u - 1u));
uint c20 = 305419896u;
uint c21 = 0xcu;
bool2 l22 = bool2(c18 < c19, c20 > (c21));
return int3(5, (-2147483647), (-15));
}
namespace N23 {
static const uint n24 = 18u;
int16_t2 f25(uint a26) {
bool b27 = ((CI[(((int)524288) & 3)] - true) != (((int)8) & c3[(c3[1] & 3)])) && (a26++ != 3);
uint x28 = VARIADIC(min, ((uint)((int)c3[1])), n24);
float2x4 v29 = float2x4(10.0f, 43.125f, (-26.375f), (-39.5), (-9.875), (-8.625f), (-22.375f), (-22.75f));
if ((b27 != (b27 && any(int4((-0x41e7), 3, 6, 305419896))))) return ((int16_t2)float2(int2((b8[1] * b8._21_11)) & 63));
return ((int16_t2(((int16_t)0xff), ((int16_t)0x13)) ^ int16_t2(((int16_t)6), ((int16_t)16))) - (((int16_t2)((int16_t)(-2048))) & ((int16_t2)((int16_t)(-8)))));
}
}
namespace N30 {
static const uint n31 = 13u;
float3x3 f32() {
float16_t2 v33 = float16_t2(int2(((any(float4((-51.0f), (-37.875), (-24.25f), (-35.25f))) ? (s6 == s6) : (185.71875L <= b7)) ? lerp(float16_t2(int2(float16_t2(int2((((float16_t2)1.0h) - float16_t2((-3.25h), 3.0h))) & 7)) & 7), float16_t2(int2(select(bool2(false, true), float16_t2((-3.5h), 2.75h), float16_t2((-4.25h), (-0.25h)))) & 7), ((float16_t2)(-7.0h))) : saturate((float16_t3((-3.5h), (-0.75h), (-2.25h))).gb))) & 7);
return ((float3x3)(-52.0f));
}
}
void body(uint3 tid, uint3 gtid, uint3 gid, uint gi) {
uint me = gid.x * THREADS + gi;
int v34 = (((CI[0] >> (12 & 31)) | (true ? c3[(11u & 3)] : c3[(tid[0] & 3)])) << (((false ? c3[(me & 3)] : CI[(gid[2] & 3)]) >> (CI.b & 31)) & 31));
uint64_t v35 = ((true != false) ? gtid[(min(0xfu, me) % 3u)] : mad(65536u, gid[((uint)mul(CI.ywz, CI.zyw) % 3u)], tid[(me % 3u)]));
float16_t v36 = float16_t(int(mad(((float16_t)5.5h), (false ? (-0.75h) : (-4.5h)), 2.0h)) & 7);
int3 r37 = f11(float16_t(int(((true && false) ? v36 : ((-1.75h) * 6.75h))) & 7), masked34((((float3x4)24.75) * (-float3x4(12.625f, 19.875, 56.125, 63.25f, (-50.125f), 36.375f, 40.75f, (-43.125f), (-14.0), (-6.875f), 5.625, 28.125)))));
if (gid.x < 1u) {
DECLARE(uint, x38, ((tid.b ^ -me ^ -gi ^ 5u) & ((uint)tid[((uint)c3[3] % 3u)])));
Work[me] = float(int((((float)((((int)8) + false) & 63)) + (b8[1].r - b8._m01))) & 63);
}
else {
switch ((int)mul((((uint2)0x400000u) - 18u), (tid.bb + tid.rg)) & 5) {
case 0:
{
uint64_t4 v39 = uint64_t4(((c3[2] ^ v34) | ((int)s6)), uint64_t2((((uint64_t)0x1011195au << 32) | (uint64_t)0xcu), ((uint64_t)1)), ((((uint64_t)6) & In[(gtid.b % 11u)]) & (v35 * In[10])));
}
break;
case 1:
{
bool3 v40 = bool3(true, false, false);
int3 r41 = f11((-7.75h), ((float3x4)(-9.625)));
}
break;
default:
case 2:
{
InterlockedMax(AccI[1], ((int)14));
int16_t2 r42 = N23::f25(5u);
}
break;
case 77: break;
}
int3 r43 = f11(v36, ((float3x4)(-24.625)));
}
float2x4 v44 = float2x4((-38.75f), (-41.375f), (-26.75f), 38.875f, 45.5f, (-35.0f), (-57.5f), (-22.0));
double v45 = 187.28125L;
uint v46 = gid.g;
v46--;
Bytes.InterlockedMin(16u, 3u);
uint64_t2 o47 = Own.Load<uint64_t2>(me * 384u + 0u);
float3x3 r48 = N30::f32();
float16_t3 v49 = float16_t3((-7.25h), 7.25h, 5.5h);
bool v50 = true;
precise float p51 = (((Work[me] * ((float)3.3333333f)) * ((float)13.75)) + ((((float)1.7f) - r48[2][1]) - ((((float)1.7f) - r48[2][1]) + ((float)3.3333333f))));
p51 = p51 * 1.1f + ((Work[me] - (Work[me] + ((float)16777217.0f))));
Out.Store((me * SLOTS + 0u) * 8u, asuint(p51));
float q52 = radians(((float)(-26.0)));
Out.Store((me * SLOTS + 1u) * 8u, asuint(q52));
Out.Store((me * SLOTS + 2u) * 8u, (uint)v34);
Out.Store<uint64_t>((me * SLOTS + 3u) * 8u, v35);
Out.Store((me * SLOTS + 4u) * 8u, asuint((float)v36));
Out.Store((me * SLOTS + 5u) * 8u, (uint)r37.x);
Out.Store((me * SLOTS + 6u) * 8u, (uint)r37.y);
Out.Store((me * SLOTS + 7u) * 8u, (uint)r37.z);
Out.Store((me * SLOTS + 8u) * 8u, asuint(v44._m00));
Out.Store((me * SLOTS + 9u) * 8u, asuint(v44._m01));
Out.Store((me * SLOTS + 10u) * 8u, asuint(v44._m02));
Out.Store((me * SLOTS + 11u) * 8u, asuint(v44._m03));
Out.Store((me * SLOTS + 12u) * 8u, asuint(v44._m10));
Out.Store((me * SLOTS + 13u) * 8u, asuint(v44._m11));
Out.Store((me * SLOTS + 14u) * 8u, asuint(v44._m12));
Out.Store((me * SLOTS + 15u) * 8u, asuint(v44._m13));
Out.Store<double>((me * SLOTS + 16u) * 8u, v45);
Out.Store((me * SLOTS + 17u) * 8u, (uint)v46);
Out.Store<uint64_t>((me * SLOTS + 18u) * 8u, o47.x);
Out.Store<uint64_t>((me * SLOTS + 19u) * 8u, o47.y);
Out.Store((me * SLOTS + 20u) * 8u, asuint(r48._m00));
Out.Store((me * SLOTS + 21u) * 8u, asuint(r48._m01));
Out.Store((me * SLOTS + 22u) * 8u, asuint(r48._m02));
Out.Store((me * SLOTS + 23u) * 8u, asuint(r48._m10));
Out.Store((me * SLOTS + 24u) * 8u, asuint(r48._m11));
Out.Store((me * SLOTS + 25u) * 8u, asuint(r48._m12));
Out.Store((me * SLOTS + 26u) * 8u, asuint(r48._m20));
Out.Store((me * SLOTS + 27u) * 8u, asuint(r48._m21));
Out.Store((me * SLOTS + 28u) * 8u, asuint(r48._m22));
Out.Store((me * SLOTS + 29u) * 8u, asuint((float)v49.x));
Out.Store((me * SLOTS + 30u) * 8u, asuint((float)v49.y));
Out.Store((me * SLOTS + 31u) * 8u, asuint((float)v49.z));
Out.Store((me * SLOTS + 32u) * 8u, (uint)v50);
Out.Store<int64_t>((me * SLOTS + 33u) * 8u, s5.x);
Out.Store<int64_t>((me * SLOTS + 34u) * 8u, s5.y);
Out.Store<int64_t>((me * SLOTS + 35u) * 8u, s5.z);
Out.Store<int64_t>((me * SLOTS + 36u) * 8u, s6);
}
#ifdef NODE
[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(2, 1, 1)]
#endif
[numthreads(16, 1, 1)]
void main(uint3 tid : SV_DispatchThreadID, uint3 gtid : SV_GroupThreadID, uint3 gid : SV_GroupID, uint gi : SV_GroupIndex) {
body(tid, gtid, gid, gi);
}
