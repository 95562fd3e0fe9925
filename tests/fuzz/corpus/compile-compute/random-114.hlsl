//@ options entry=main 16bit row-major
#define SLOTS 29u
#define THREADS 16
#define MIX(a, b) ((a) * 31u ^ (b))
#define DECLARE(type, name, value) type name = (value)
#define JOIN(a, b) a##b
#define CAT(a, b) JOIN(a, b)
#define VARIADIC(f, ...) f(__VA_ARGS__)
typedef float16_t4 A6[2];
typedef int A7[2];
typedef float A8[4];
typedef uint A10[4];
enum E1 { k2, k3 = 26, k4, k5 };
static const uint c9[4] = { 1048576u, 7u, 0x1d8bu, 1431655765u, };
static const float c11 = 62.375f;
static int16_t2 s12 = int16_t2(((int16_t)0), ((int16_t)(-23310)));
[[vk::binding(0)]] RWByteAddressBuffer Out;
[[vk::binding(4)]] RWStructuredBuffer<uint> Acc;
[[vk::binding(6)]] RWByteAddressBuffer Own;
[[vk::binding(7)]] RWByteAddressBuffer Bytes;
[[vk::binding(8)]] RWStructuredBuffer<int> AccI;
[[vk::binding(1)]] StructuredBuffer<uint2> In;
[[vk::binding(3)]] RWStructuredBuffer<int64_t> Work;
[[vk::binding(5)]] cbuffer Block {
int4 CI;
row_major float2x2 b13;
};
groupshared int64_t3 G14[THREADS];
groupshared int64_t G15[THREADS];
void precise_sum(float a, out precise float r) { r = (a + 0.1f) - a; }
int f16(in uint16_t a17) {
int v18 = ((!all(int3(15, 0x12345678, (-11)))) ? (((bool)(-236.375L)) ? (((int)3) + CI[((c9[2] ^ c9[3]) & 3)]) : (((int)0xa) - 11)) : (((int)131072) & clamp(CI[2], min(CI.r, CI[2]), max(CI.r, CI[2]))));
uint c19 = (true ? c9[((c9[3] & v18) & 3)] : c9[2]);
uint c20 = c9[1];
uint c21 = c9[0];
uint c22 = c9[0];
bool2 l23 = bool2(c19 < c20, c21 > c22);
uint c24 = c9[1];
uint c25 = c9[2];
uint c26 = c9[0];
uint c27 = 0u;
bool2 l28 = and(bool2(c24 < c25, c26 >> 1 > c27), c24 <= c25);
return CI.a;
}
uint f29(in bool2 a30 = bool2(false, true)) {
switch ((int)(In[(c9[1] % 11u)][(c9[2] & 1)] & (14635u + 16u)) & 5) {
case 0:
{
a30[((c9[2] * CI[3]) & 1)] = true;
}
break;
case 1:
{
E1 v31 = k5;
}
break;
case 2:
{
[unroll] for (uint i32 = 0; i32 <= 1; i32 += 1) {
float16_t4 v33[2] = ((A6)0);
int16_t2 v34 = ((s12 * (s12 + s12)) * s12);
if (a30[1]) continue;
}
}
break;
default: {
double3 v35 = double3((-141.75L), (-136.34375L), (-218.4375L));
}
break;
}
double v36 = 227.3125L;
return 0x3u;
}
template<typename T>
T t37(T a, T b) { T c = a + b; c += a; return c; }
void body(uint3 tid, uint3 gtid, uint3 gid, uint gi) {
uint me = gid.x * THREADS + gi;
E1 v38 = k2;
int v39 = (clamp(CI.b, min((((int)1431655765) | 11), ((int)((int16_t)4096))), max((((int)1431655765) | 11), ((int)((int16_t)4096)))) * WaveReadLaneFirst(((int)(-1.5h))));
uint v40 = max(mul(((uint3)abs(double3(107.734375L, 50.234375L, (-11.328125L)))), (uint4(0x2u, 0x3u, 0x20000000u, 15u)).brb), f29());
Work[me] *= (((false && true) ? (k4 == k3) : (!false)) ? ((((int64_t)0x4ed8fbd3u << 32) | (int64_t)3u) & (~Work[me])) : ((!true) ? Work[me] : ((int64_t)2)));
uint4 r41 = t37((-(uint4(1u, 11u, 0xau, 14u) - ~uint4(0xfu, 0x10u, 0x8000u, 0x54cu) + uint4(20823u, 5u, 305419896u, 1048576u) - -gid.bgrg)), (((uint4)CI) & (gtid).zyyx));
bool v42 = any(uint4((3u << (gid[(gtid.y % 3u)] & 31)), false, (~In[(me % 11u)][(8u & 1)]), (me - 14317u)));
int v43 = ((v42 != v42) ? f29() : (v42 ? r41.y : 2147483647u));
E1 v44 = k4;
{ uint i45 = 0; [fastopt] while (i45++ < 2 && false) {
if (CI.x > 3) {
uint64_t2 v46 = clamp(clamp(((uint64_t)19), min((((uint64_t)0x19577dccu << 32) | (uint64_t)6u), ((uint64_t)2147483647)), max((((uint64_t)0x19577dccu << 32) | (uint64_t)6u), ((uint64_t)2147483647))), min((((uint64_t)0x448) + ((uint64_t)12348)), (((uint64_t)14) + ((uint64_t)4096))), max((((uint64_t)0x448) + ((uint64_t)12348)), (((uint64_t)14) + ((uint64_t)4096))));
v39--;
}
uint w47 = ((uint)abs(min(191.53125L, 249.328125L)));
[forcecase] switch (w47 % 3u) {
case 0:
{
uint c48 = clamp(i45, min(i45, me), max(i45, me));
uint c49 = clamp(me, min(i45, 10u), max(i45, 10u));
uint c50 = clamp(16u, min(gid[(i45 % 3u)], gtid[(((uint)pack_u8(tid.rbbb + gi)) % 3u)]), max(gid[(i45 % 3u)], gtid[(((uint)pack_u8(tid.rbbb + gi)) % 3u)]));
uint c51 = ((uint)((uint16_t)18));
bool2 l52 = (c48 < c49, c50 > c51);
}
continue;
case 1:
{
int64_t3 r53 = t37<int64_t3>(int64_t3((((int64_t)0x1750acd4u << 32) | (int64_t)13u), (((int64_t)0x6df707e3u << 32) | (int64_t)11u), ((int64_t)20946)), ((int64_t3)((int64_t)(-12))));
uint r54 = f29();
}
break;
default: {
float16_t o55 = Own.Load<float16_t>(me * 384u + 0u);
}
break;
}
}
}
int2 v56 = ((int)8);
double v57 = (-12.703125L);
double v58 = 117.265625L;
float4x3 v59 = b13._11;
float q60 = c11 / (abs((-51.25f)) + 1.0f);
Out.Store((me * SLOTS + 0u) * 8u, asuint(q60));
Out.Store((me * SLOTS + 1u) * 8u, (uint)v38);
Out.Store((me * SLOTS + 2u) * 8u, (uint)v39);
Out.Store((me * SLOTS + 3u) * 8u, (uint)v40);
Out.Store((me * SLOTS + 4u) * 8u, (uint)r41.x);
Out.Store((me * SLOTS + 5u) * 8u, (uint)r41.y);
Out.Store((me * SLOTS + 6u) * 8u, (uint)r41.z);
Out.Store((me * SLOTS + 7u) * 8u, (uint)r41.w);
Out.Store((me * SLOTS + 8u) * 8u, (uint)v42);
Out.Store((me * SLOTS + 9u) * 8u, (uint)v43);
Out.Store((me * SLOTS + 10u) * 8u, (uint)v44);
Out.Store((me * SLOTS + 11u) * 8u, (uint)v56.x);
Out.Store((me * SLOTS + 12u) * 8u, (uint)v56.y);
Out.Store<double>((me * SLOTS + 13u) * 8u, v57);
Out.Store<double>((me * SLOTS + 14u) * 8u, v58);
Out.Store((me * SLOTS + 15u) * 8u, asuint(v59._m00));
Out.Store((me * SLOTS + 16u) * 8u, asuint(v59._m01));
Out.Store((me * SLOTS + 17u) * 8u, asuint(v59._m02));
Out.Store((me * SLOTS + 18u) * 8u, asuint(v59._m10));
Out.Store((me * SLOTS + 19u) * 8u, asuint(v59._m11));
Out.Store((me * SLOTS + 20u) * 8u, asuint(v59._m12));
Out.Store((me * SLOTS + 21u) * 8u, asuint(v59._m20));
Out.Store((me * SLOTS + 22u) * 8u, asuint(v59._m21));
Out.Store((me * SLOTS + 23u) * 8u, asuint(v59._m22));
Out.Store((me * SLOTS + 24u) * 8u, asuint(v59._m30));
Out.Store((me * SLOTS + 25u) * 8u, asuint(v59._m31));
Out.Store((me * SLOTS + 26u) * 8u, asuint(v59._m32));
Out.Store((me * SLOTS + 27u) * 8u, (uint)s12.x);
Out.Store((me * SLOTS + 28u) * 8u, (uint)s12.y);
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
