//@ options entry=main 16bit
#define SLOTS 38u
#define THREADS 32
#define MIX(a, b) ((a) * 31u ^ (b))
#define DECLARE(type, name, value) type name = (value)
#define JOIN(a, b) a##b
#define CAT(a, b) JOIN(a, b)
#define VARIADIC(f, ...) f(__VA_ARGS__)
float2x2 masked22(float2x2 m) {
m[0] = float2(int2(m[0]) & 63);
m[1] = float2(int2(m[1]) & 63);
return m;
}
typedef int A11[5];
typedef int4 A12[3];
typedef uint16_t A14[4];
typedef double A17[4];
enum E1 { k2, k3 = 66, k4, k5 = 8 };
enum E6 { k7, k8, k9, k10 };
static const uint16_t c13[4] = { ((uint16_t)0x2), ((uint16_t)4), ((uint16_t)17), ((uint16_t)2), };
static int4 s15[3] = ((A12)0);
template<typename T, uint N>
struct S16 {
T m18[N];
T m19;
T at(uint i) { return m18[i % N]; }
};
[[vk::binding(0)]] RWByteAddressBuffer Out;
[[vk::binding(4)]] RWStructuredBuffer<uint> Acc;
[[vk::binding(6)]] RWByteAddressBuffer Own;
[[vk::binding(7)]] RWByteAddressBuffer Bytes;
[[vk::binding(8)]] RWStructuredBuffer<int> AccI;
[[vk::binding(1)]] StructuredBuffer<S16<double, 4> > In;
[[vk::binding(3)]] RWStructuredBuffer<S16<double, 4> > Work;
[[vk::binding(5)]] cbuffer Block {
int4 CI;
float3x3 b20;
float3x2 b21;
};
groupshared float16_t G22[THREADS];
groupshared S16<double, 4>  G23[THREADS];
void precise_sum(float a, out precise float r) { r = (a + 0.1f) - a; }
S16<double, 4>  f24(in bool a25, int64_t a26, float16_t a27 = (-1.25h)) {
float2x2 v28 = masked22(float2x2(floor(float(int((b20[2][(1u % 3u)] - b20[((uint)CI[2] % 3u)].g)) & 63)), ((!a25) ? abs(b21[0][((true ? 2048u : 65536u) & 1)]) : trunc(b21[(0x200000u % 3u)][(2147483647u & 1)])), (((float)(((uint16_t)5) & 63)) + mul(float3((-17.25), 35.25, 2.75f), b20._22_23_13)), min(float(int((b20[((double4(1.390625L, 114.359375L, 54.640625L, (-169.84375L)), (64u & 268435456u)) % 3u)].b + b20[1].r)) & 63), b20._m11)));
return In[1];
}
int64_t4 f29(in double a30, in int3 a31) {
uint v32 = ((8u + (1048576u + 1024u)) / (3u | 1));
float v33 = 24.25;
return int64_t4(((int64_t)17), (((int64_t)0x5a77b684u << 32) | (int64_t)15u), ((int64_t)(-18)), (((int64_t)0x67eb1c92u << 32) | (int64_t)16384u));
}
template<typename T>
T t34(T a, T b) { T c = a & b; c += a; return c; }
void body(uint3 tid, uint3 gtid, uint3 gid, uint gi) {
uint me = gid.x * THREADS + gi;
uint16_t v35[4] = c13;
int3 v36 = (((int3((-11), (-0x0), 2) & ((bool3)true)) | (uint3(17u, 0x10u, 5022u) > gid)) << (((int3(4, 17, 305419896) | ~int3(65536, 0x10, 0x2) | s15[2].rar * ((int3)(-0x11))) + (-((int3)19674))) & 31));
int v37 = ((~(false ? v36[(me % 3u)] : ((int)0xb))) - (~((int)305419896) & v36[(0x1u % 3u)] & v36[1]));
double v38 = In[8].at((((uint)28201u) * (gi ^ tid.g)));
uint w39 = ((gtid, (me - me)) * (false == false));
[branch] switch (w39 % 5u) {
case 0:
case 1:
{
double v40[4] = ((A17)0);
}
break;
case 2:
{
Bytes.InterlockedAdd(24u, ((me | gtid[((uint)t34<int>(v37, ((int)(-305419896))) % 3u)] * gid.r) | mad(tid[(gi % 3u)], gtid[(24783u % 3u)], me)));
}
break;
case 3:
{
const float3x2 v41 = float3x2(63.0f, (-14.875), (-49.125f), (-46.125f), 47.125f, (-10.0f));
}
default: {
uint16_t4 o42 = Own.Load<uint16_t4>(me * 384u + 128u);
}
break;
}
int64_t4 r43 = f29((-147.953125L), v36);
S16<double, 4>  v44 = In[4];
int3 v45 = v36;
v45.y = v37--;
S16<double, 4>  v46 = In[5];
Out.Store((me * SLOTS + 0u) * 8u, (uint)v35[0]);
Out.Store((me * SLOTS + 1u) * 8u, (uint)v35[1]);
Out.Store((me * SLOTS + 2u) * 8u, (uint)v35[2]);
Out.Store((me * SLOTS + 3u) * 8u, (uint)v35[3]);
Out.Store((me * SLOTS + 4u) * 8u, (uint)v36.x);
Out.Store((me * SLOTS + 5u) * 8u, (uint)v36.y);
Out.Store((me * SLOTS + 6u) * 8u, (uint)v36.z);
Out.Store((me * SLOTS + 7u) * 8u, (uint)v37);
Out.Store<double>((me * SLOTS + 8u) * 8u, v38);
Out.Store<int64_t>((me * SLOTS + 9u) * 8u, r43.x);
Out.Store<int64_t>((me * SLOTS + 10u) * 8u, r43.y);
Out.Store<int64_t>((me * SLOTS + 11u) * 8u, r43.z);
Out.Store<int64_t>((me * SLOTS + 12u) * 8u, r43.w);
Out.Store<double>((me * SLOTS + 13u) * 8u, v44.m18[0]);
Out.Store<double>((me * SLOTS + 14u) * 8u, v44.m18[1]);
Out.Store<double>((me * SLOTS + 15u) * 8u, v44.m18[2]);
Out.Store<double>((me * SLOTS + 16u) * 8u, v44.m18[3]);
Out.Store<double>((me * SLOTS + 17u) * 8u, v44.m19);
Out.Store((me * SLOTS + 18u) * 8u, (uint)v45.x);
Out.Store((me * SLOTS + 19u) * 8u, (uint)v45.y);
Out.Store((me * SLOTS + 20u) * 8u, (uint)v45.z);
Out.Store<double>((me * SLOTS + 21u) * 8u, v46.m18[0]);
Out.Store<double>((me * SLOTS + 22u) * 8u, v46.m18[1]);
Out.Store<double>((me * SLOTS + 23u) * 8u, v46.m18[2]);
Out.Store<double>((me * SLOTS + 24u) * 8u, v46.m18[3]);
Out.Store<double>((me * SLOTS + 25u) * 8u, v46.m19);
Out.Store((me * SLOTS + 26u) * 8u, (uint)s15[0].x);
Out.Store((me * SLOTS + 27u) * 8u, (uint)s15[0].y);
Out.Store((me * SLOTS + 28u) * 8u, (uint)s15[0].z);
Out.Store((me * SLOTS + 29u) * 8u, (uint)s15[0].w);
Out.Store((me * SLOTS + 30u) * 8u, (uint)s15[1].x);
Out.Store((me * SLOTS + 31u) * 8u, (uint)s15[1].y);
Out.Store((me * SLOTS + 32u) * 8u, (uint)s15[1].z);
Out.Store((me * SLOTS + 33u) * 8u, (uint)s15[1].w);
Out.Store((me * SLOTS + 34u) * 8u, (uint)s15[2].x);
Out.Store((me * SLOTS + 35u) * 8u, (uint)s15[2].y);
Out.Store((me * SLOTS + 36u) * 8u, (uint)s15[2].z);
Out.Store((me * SLOTS + 37u) * 8u, (uint)s15[2].w);
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
