//@ options entry=main 16bit
#define SLOTS 16u
#define THREADS 32
#define MIX(a, b) ((a) * 31u ^ (b))
#define DECLARE(type, name, value) type name = (value)
#define JOIN(a, b) a##b
#define CAT(a, b) JOIN(a, b)
#define VARIADIC(f, ...) f(__VA_ARGS__)
float2x4 masked24(float2x4 m) {
m[0] = float4(int4(m[0]) & 63);
m[1] = float4(int4(m[1]) & 63);
return m;
}
typedef bool3 A1[5];
typedef uint16_t A4[4];
typedef int3 A18[4];
static const int2 c2 = int2(2, 15069);
static const uint16_t c3[4] = { ((uint16_t)19), ((uint16_t)255), ((uint16_t)0x7), ((uint16_t)7), };
static int s5 = (-8192);
struct S6 {
float m7;
uint2 m8;
};
interface I16 { uint f12(double2 p0); };
struct S9 : I16 {
uint m10 : 13;
int m11 : 11;
uint f12(in double2 a13) {
if ((((((int64_t)0xffc) == ((int64_t)(-3))) ? (true || true) : (this.m10 == 17845u)) != (true == ((bool)52.875)))) {
int2 v14 = c2;
v14.y = m11;
double v15 = 196.703125L;
}
return this.m10;
}
};
template<typename T, uint N>
struct S17 {
T m19[N];
T m20;
T at(uint i) { return m19[i % N]; }
};
[[vk::binding(0)]] RWByteAddressBuffer Out;
[[vk::binding(4)]] RWStructuredBuffer<uint> Acc;
[[vk::binding(6)]] RWByteAddressBuffer Own;
[[vk::binding(7)]] RWByteAddressBuffer Bytes;
[[vk::binding(8)]] RWStructuredBuffer<int> AccI;
[[vk::binding(1)]] StructuredBuffer<S6> In;
[[vk::binding(3)]] RWStructuredBuffer<S17<int3, 4> > Work;
[[vk::binding(5)]] cbuffer Block {
int4 CI;
float3x2 b21;
uint b22;
};
groupshared uint G23[THREADS];
groupshared int G24[THREADS];
void precise_sum(float a, out precise float r) { r = (a + 0.1f) - a; }
namespace N25 {
static const uint n26 = 13u;
uint64_t f27() {
[unroll] for (uint i28 = 0; i28 < 3; i28 += 1) {
S6 v29 = In[4];
int v30 = clamp(((c2[(b22 & 1)] - s5) + (CI[(16777216u & 3)] ^ CI[((i28 | n26) & 3)])), min((-(CI.w - 16)), ((s5 | s5) ^ (((int)19) << (1431655765 & 31)))), max((-(CI.w - 16)), ((s5 | s5) ^ (((int)19) << (1431655765 & 31)))));
float2x3 v31 = float2x3(((false && true) ? (true ? v29.m7 : In[((v29.m8[0] - n26) % 11u)].m7) : b21._m21), (-33.875), v29.m7, v29.m7, 23.0, b21[2][1]);
}
uint16_t v32 = c3[1];
float16_t v33 = 6.25h;
int v34 = c2.y;
return ((uint64_t)9);
}
}
bool f35(out int a36, out int64_t a37) {
a36 = ((int)0);
a37 = ((int64_t)0);
float v38 = max(float(int(((((int)(-0xe)) == 67108864) ? mad(b21[((b22 & 4u) % 3u)][(((int)(-17)) & 1)], b21._21, In[(9u % 11u)].m7) : frac(b21[((In[8].m8.r ^ b22) % 3u)][(((int)2048) & 1)]))) & 63), float(int((((bool)5.5h) ? ((float)(CI.r & 63)) : lerp(b21[0][1], b21._m20, ((float)(-53.0))))) & 63));
return false;
}
int2 f39(uint16_t3 a40 = uint16_t3(((uint16_t)0x5555), ((uint16_t)0x1104), ((uint16_t)4))) {
uint2 v41 = (In[(b22 % 11u)].m8 - (reversebits(b22) ^ (false ? b22 : b22)));
S6 v42 = In[7];
uint h43 = In[((v41[0] - v41[1]) % 11u)].m8[(abs(c2.r) & 1)];
{ uint f35 = h43 + 3u; h43 ^= f35 * 5u; if (f35 < h43) { int f35 = 2; h43 += f35; } }
return sign(float2(int2(((float2)(((float2)43.0) - float2(58.0f, 25.875)))) & 63));
}
bool2 f44(double a45, uint16_t4 a46, in float3x3 a47) {
uint x48 = MIX(((b22 ^ b22) | clamp(b22, min(b22, b22), max(b22, b22))), (true ? (b22 * In[1].m8[0] - ~b22 | b22 & 0x8u) : (b22 ^ b22)));
--x48;
return bool2(true, true);
}
S6 f49(inout bool4 a50, inout int a51) {
float2x4 v52 = (-masked24((float2x4((-60.875), (-39.75f), (-49.25f), (-61.5), (-56.125), (-3.5), 62.625f, (-33.125f)) * float2x4((-2.125), (-53.25), (-17.875f), 7.875, 42.0, 49.0f, 5.5f, (-35.375f)))));
int v53 = ((11u - b22) * min(In[(b22 % 11u)].m8.x, 0x8u));
int2 r54 = f39((-(uint16_t3(((uint16_t)19), ((uint16_t)6), ((uint16_t)18)) ^ uint16_t3(((uint16_t)255), ((uint16_t)2048), ((uint16_t)14970)))));
uint16_t v55 = ((uint16_t)0x0);
return In[1];
}
void body(uint3 tid, uint3 gtid, uint3 gid, uint gi) {
uint me = gid.x * THREADS + gi;
uint64_t3 v56 = ((uint64_t3)((uint64_t)10));
const int v57 = all((b21[((uint)((int)17) % 3u)] - b21[(b22 % 3u)]));
S9 v58 = ((S9)0);
s5 = ((int)(+(gtid.z * gi)));
uint64_t3 o59 = Own.Load<uint64_t3>(me * 384u + 128u);
[loop] for (uint i60 = 0; i60 < 3; i60++) {
DECLARE(uint, x61, (tid[((uint)c2.x % 3u)] | tid[((uint)((int)(-16)) % 3u)] | 0xffffu));
}
float3 v62 = float4(int4((saturate(float4((-10.375), (-3.5f), (-9.0), (-56.625))) + ((float4)45.5))) & 63);
int64_t o63 = Own.Load<int64_t>(me * 384u + 0u);
uint x64 = CAT(0x, 1fu) + CAT(1, 7) * ((b22 - true) & (gid[1] & 1431655765u));
[fastopt] for (int i65 = 3; i65 < 6; i65++) {
uint x66 = CAT(0x, 1fu) + CAT(1, 7) * ((9u << (gtid.r & 31)) / ((x64 + ((int)19)) | 1));
}
int64_t v67 = ((s5 ^ false) % ((mul(int3(65535, 305419896, (-0x10)), c2.xxx) & 7) + 1));
Out.Store<uint64_t>((me * SLOTS + 0u) * 8u, v56.x);
Out.Store<uint64_t>((me * SLOTS + 1u) * 8u, v56.y);
Out.Store<uint64_t>((me * SLOTS + 2u) * 8u, v56.z);
Out.Store((me * SLOTS + 3u) * 8u, (uint)v57);
Out.Store((me * SLOTS + 4u) * 8u, (uint)v58.m10);
Out.Store((me * SLOTS + 5u) * 8u, (uint)v58.m11);
Out.Store<uint64_t>((me * SLOTS + 6u) * 8u, o59.x);
Out.Store<uint64_t>((me * SLOTS + 7u) * 8u, o59.y);
Out.Store<uint64_t>((me * SLOTS + 8u) * 8u, o59.z);
Out.Store((me * SLOTS + 9u) * 8u, asuint(v62.x));
Out.Store((me * SLOTS + 10u) * 8u, asuint(v62.y));
Out.Store((me * SLOTS + 11u) * 8u, asuint(v62.z));
Out.Store<int64_t>((me * SLOTS + 12u) * 8u, o63);
Out.Store((me * SLOTS + 13u) * 8u, (uint)x64);
Out.Store<int64_t>((me * SLOTS + 14u) * 8u, v67);
Out.Store((me * SLOTS + 15u) * 8u, (uint)s5);
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
