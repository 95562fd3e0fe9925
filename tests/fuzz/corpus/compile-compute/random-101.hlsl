//@ options entry=main
#define SLOTS 13u
#define THREADS 16
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
typedef uint A1[5];
typedef bool A2[2];
typedef int64_t A7[4];
typedef int2 A10[4];
static const uint c3 = 0x10u;
static int s4 = (-12);
static uint4 s5 = uint4(22880u, 2147483647u, 15u, 12u);
template<typename T, uint N>
struct S6 {
T m8[N];
T m9;
T at(uint i) { return m8[i % N]; }
};
[[vk::binding(0)]] RWByteAddressBuffer Out;
[[vk::binding(4)]] RWStructuredBuffer<uint> Acc;
[[vk::binding(6)]] RWByteAddressBuffer Own;
[[vk::binding(7)]] RWByteAddressBuffer Bytes;
[[vk::binding(8)]] RWStructuredBuffer<int> AccI;
[[vk::binding(1)]] StructuredBuffer<S6<int64_t, 4> > In;
[[vk::binding(3)]] RWStructuredBuffer<S6<int64_t, 4> > Work;
[[vk::binding(5)]] cbuffer Block {
int4 CI;
int2 b11[4];
uint b12;
S6<int64_t, 4>  b13;
};
groupshared double G14[THREADS];
groupshared int64_t G15[THREADS];
void precise_sum(float a, out precise float r) { r = (a + 0.1f) - a; }
float2 f16(inout int64_t a17) {
s5[(s5[0] & 3)] = 3u;
++s4;
double v18 = (+double(int(((-248.515625L) * (-220.140625L))) & 255));
v18 = (+(+v18));
return float2((-2.625f), 11.875f);
}
S6<int64_t, 4>  f19(in int a20, inout float a21, inout int a22) {
const uint3 v23 = (false ? (uint4(5u, 13u, 0x6u, 32u) * s5) : min(s5, uint4(0x10u, 6u, 13u, 16777216u)));
return b13;
}
double f24(in double a25, int64_t2 a26) {
[unroll] for (uint i27 = 2; i27 <= 3; i27++) {
uint h28 = ((uint)(c3 + b12));
{ uint f19 = h28 + 3u; h28 ^= f19 * 5u; if (f19 < h28) { int f19 = 2; h28 += f19; } }
S6<int64_t, 4>  v29 = b13;
}
uint v30[5] = ((A1)0);
s4 ^= (b11[((12u % (s5[1] | 1)) & 3)][(0x3u & 1)] | (true && ((bool)c3)));
return 72.921875L;
}
namespace N31 {
static const uint n32 = 23600u;
float3x2 f33(in float2x3 a34, int64_t3 a35, bool3 a36) {
float2x3 v37 = (-(-transpose(float3x2(44.5f, 6.375, (-9.0f), 30.75f, 25.625f, (-30.5)))));
return masked32((all((a34[0], (int2(5, 18) * int2(9, 0x4874)))) ? ((-float3x2(14.625, (-25.5), (-29.0f), 17.625f, (-22.5), 7.125)) * (float3x2(59.625f, 14.875f, (-49.375), (-37.125), 3.625f, 56.0) + float3x2((-18.875), 13.0, 47.0, (-55.875), (-3.25f), 33.125))) : float3x2(16.125f, (-9.0), 22.5, 30.25f, (-46.125), 2.125)));
}
}
void body(uint3 tid, uint3 gtid, uint3 gid, uint gi) {
uint me = gid.x * THREADS + gi;
double v38 = double(int(((+(true ? (-36.390625L) : (-218.265625L))) * (-double(int(((-128.671875L) + (-158.375L))) & 255)))) & 255);
int v39 = ((int)((c3 + tid.z) + (false ? false : true)));
int2 v40 = ((int2(3, (-0xb)) & ~b11[((me ^ gi) & 3)] - b11[(v39 & 3)]) + ((b11[(CI.a & 3)] | v39)).yx);
[branch] if (true) {
double r41 = f24((((bool)59.5) ? (+(-64.5625L)) : max(36.453125L, (-69.625L))), (int64_t2(((int64_t)(-0x5)), (((int64_t)0x3ba7adbfu << 32) | (int64_t)0x0u)) | (((int64_t2)(((int64_t)0x6ef70b60u << 32) | (int64_t)18u)) + v40)));
}
if ((gid.x & 1u) == 0u) {
const int64_t v42[4] = ((A7)0);
v39 = (any(and(((bool2)true), bool2(false, true))) ? max(((int)1431655765u), mul(CI.gbg, int3(0xa, 9355, 4))) : (asint(tid.x) | (!false)));
}
uint h43 = ((11u | v39) + c3);
{ uint f19 = h43 + 3u; h43 ^= f19 * 5u; if (f19 < h43) { int f19 = 2; h43 += f19; } }
s4 = ((clamp(CI[0], min(CI[(v39 & 3)], ((int)17)), max(CI[(v39 & 3)], ((int)17))) + (v40[(c3 & 1)] % ((v40[((v39 * false) & 1)] & 7) + 1))) & ((-v39) & (false == true)));
G15[gi] = (In[((uint)v39 % 11u)].m9 & (min(Work[me].m8[2], b13.m8[(mad(me, 4096u, b12) & 3)]) | (((int64_t)0xc) ^ b13.m8[(((int)2147483647) & 3)])));
GroupMemoryBarrierWithGroupSync();
int64_t g44 = G15[(gi + 4u) % 16u];
GroupMemoryBarrierWithGroupSync();
float v45 = (-39.25f);
const int v46 = 1;
Out.Store<double>((me * SLOTS + 0u) * 8u, v38);
Out.Store((me * SLOTS + 1u) * 8u, (uint)v39);
Out.Store((me * SLOTS + 2u) * 8u, (uint)v40.x);
Out.Store((me * SLOTS + 3u) * 8u, (uint)v40.y);
Out.Store((me * SLOTS + 4u) * 8u, (uint)h43);
Out.Store<int64_t>((me * SLOTS + 5u) * 8u, g44);
Out.Store((me * SLOTS + 6u) * 8u, asuint(v45));
Out.Store((me * SLOTS + 7u) * 8u, (uint)v46);
Out.Store((me * SLOTS + 8u) * 8u, (uint)s4);
Out.Store((me * SLOTS + 9u) * 8u, (uint)s5.x);
Out.Store((me * SLOTS + 10u) * 8u, (uint)s5.y);
Out.Store((me * SLOTS + 11u) * 8u, (uint)s5.z);
Out.Store((me * SLOTS + 12u) * 8u, (uint)s5.w);
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
