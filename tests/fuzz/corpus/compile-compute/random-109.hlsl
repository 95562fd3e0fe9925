//@ options entry=main 16bit row-major
#define SLOTS 30u
#define THREADS 32
#define MIX(a, b) ((a) * 31u ^ (b))
#define DECLARE(type, name, value) type name = (value)
#define JOIN(a, b) a##b
#define CAT(a, b) JOIN(a, b)
#define VARIADIC(f, ...) f(__VA_ARGS__)
typedef int A5[5];
typedef int A6[2];
typedef float A10[4];
typedef float2 A14[3];
typedef double A17[5];
enum class E1 { k2 = 67, k3, k4 };
static const int16_t c7 = ((int16_t)29527);
static int s8[5] = ((A5)0);
template<typename T, uint N>
struct S9 {
T m11[N];
T m12;
T at(uint i) { return m11[i % N]; }
};
template<typename T, uint N>
struct S13 {
T m15[N];
T m16;
T at(uint i) { return m15[i % N]; }
};
[[vk::binding(0)]] RWByteAddressBuffer Out;
[[vk::binding(4)]] RWStructuredBuffer<uint> Acc;
[[vk::binding(6)]] RWByteAddressBuffer Own;
[[vk::binding(7)]] RWByteAddressBuffer Bytes;
[[vk::binding(8)]] RWStructuredBuffer<int> AccI;
[[vk::binding(1)]] StructuredBuffer<S13<float2, 3> > In;
[[vk::binding(3)]] RWStructuredBuffer<S9<float, 4> > Work;
[[vk::binding(5)]] cbuffer Block {
int4 CI;
double b18[5];
row_major float2x4 b19;
};
groupshared int64_t3 G20[THREADS];
groupshared uint16_t G21[THREADS];
void precise_sum(float a, out precise float r) { r = (a + 0.1f) - a; }
int64_t2 f22(uint16_t a23, uint64_t a24, int a25[5]) {
uint c26 = mul(uint2(0x8u, 29877u), uint2(17u, 0x4u));
uint c27 = (0x3u - 305419896u - 4u | 1048576u);
uint c28 = 27755u;
uint c29 = 0x0u;
bool2 l30 = { c26 < c27, c28 > c29 };
uint v31 = 7u;
S9<float, 4>  v32 = ((S9<float, 4> )0);
return int64_t2((((int64_t)0x34d0cac1u << 32) | (int64_t)0x9u), ((int64_t)(-0x0)));
}
namespace N33 {
static const uint n34 = 5u;
int f35(in float2 a36, float2x3 a37, int16_t a38) {
const float2x3 v39 = a37;
return max(((~((int)19)) & ((int)(-84.71875L))), (abs(CI[(n34 & 3)]) * ((int)n34)));
}
}
void body(uint3 tid, uint3 gtid, uint3 gid, uint gi) {
uint me = gid.x * THREADS + gi;
const S13<float2, 3>  v40 = In[8];
E1 v41 = E1::k3;
int v42 = ((int)c7);
float o43 = Own.Load<float>(me * 384u + 256u);
E1 v44 = v41;
int v45 = (false ? (mad(s8[4], CI[1], ((int)17646)) ^ (-v42 + v42 & ~CI.r)) : (asint(gtid.y) >> (sign(o43) & 31)));
float v46 = (((bool)b19._11) || ((bool)v42));
const double v47 = double(int(((+double(int(((-37.046875L) + (-179.640625L))) & 255)) * (+(+b18[(min(gi, gi) % 5u)])))) & 255);
G21[gi] = (((false ? true : false) ? ((uint16_t)gtid.z) : ((uint16_t)11)) & (((uint16_t)abs(float(int(25.125f) & 63))) - (((uint16_t)256) ^ ((uint16_t)18))));
GroupMemoryBarrierWithGroupSync();
uint16_t g48 = G21[(gi + 12u) % 32u];
GroupMemoryBarrierWithGroupSync();
v42 = s8[(gi % 5u)];
S9<float, 4>  v49 = ((S9<float, 4> )0);
uint3 v50 = asuint((((int2(15, (-5)) * int2(17, 1431655765))).yxy + (int3)gi));
[branch] if ((all(min(((uint4)0x0u), ((uint4)16u))) || false)) {
v49.m12 = Work[me].m11[(gtid[2] & 3)] = min(float(int(mad(o43, Work[me].m12, o43)) & 63), float(int((((float)(-3.125)) * o43)) & 63));
E1 v51 = v41;
const uint v52 = v50[2];
}
DECLARE(uint, x53, gi);
Out.Store((me * SLOTS + 0u) * 8u, asuint(v40.m15[0].x));
Out.Store((me * SLOTS + 1u) * 8u, asuint(v40.m15[0].y));
Out.Store((me * SLOTS + 2u) * 8u, asuint(v40.m15[1].x));
Out.Store((me * SLOTS + 3u) * 8u, asuint(v40.m15[1].y));
Out.Store((me * SLOTS + 4u) * 8u, asuint(v40.m15[2].x));
Out.Store((me * SLOTS + 5u) * 8u, asuint(v40.m15[2].y));
Out.Store((me * SLOTS + 6u) * 8u, asuint(v40.m16.x));
Out.Store((me * SLOTS + 7u) * 8u, asuint(v40.m16.y));
Out.Store((me * SLOTS + 8u) * 8u, (uint)v41);
Out.Store((me * SLOTS + 9u) * 8u, (uint)v42);
Out.Store((me * SLOTS + 10u) * 8u, asuint(o43));
Out.Store((me * SLOTS + 11u) * 8u, (uint)v44);
Out.Store((me * SLOTS + 12u) * 8u, (uint)v45);
Out.Store((me * SLOTS + 13u) * 8u, asuint(v46));
Out.Store<double>((me * SLOTS + 14u) * 8u, v47);
Out.Store((me * SLOTS + 15u) * 8u, (uint)g48);
Out.Store((me * SLOTS + 16u) * 8u, asuint(v49.m11[0]));
Out.Store((me * SLOTS + 17u) * 8u, asuint(v49.m11[1]));
Out.Store((me * SLOTS + 18u) * 8u, asuint(v49.m11[2]));
Out.Store((me * SLOTS + 19u) * 8u, asuint(v49.m11[3]));
Out.Store((me * SLOTS + 20u) * 8u, asuint(v49.m12));
Out.Store((me * SLOTS + 21u) * 8u, (uint)v50.x);
Out.Store((me * SLOTS + 22u) * 8u, (uint)v50.y);
Out.Store((me * SLOTS + 23u) * 8u, (uint)v50.z);
Out.Store((me * SLOTS + 24u) * 8u, (uint)x53);
Out.Store((me * SLOTS + 25u) * 8u, (uint)s8[0]);
Out.Store((me * SLOTS + 26u) * 8u, (uint)s8[1]);
Out.Store((me * SLOTS + 27u) * 8u, (uint)s8[2]);
Out.Store((me * SLOTS + 28u) * 8u, (uint)s8[3]);
Out.Store((me * SLOTS + 29u) * 8u, (uint)s8[4]);
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
