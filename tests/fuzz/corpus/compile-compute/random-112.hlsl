//@ options entry=main 16bit row-major
#define SLOTS 33u
#define THREADS 64
#define MIX(a, b) ((a) * 31u ^ (b))
#define DECLARE(type, name, value) type name = (value)
#define JOIN(a, b) a##b
#define CAT(a, b) JOIN(a, b)
#define VARIADIC(f, ...) f(__VA_ARGS__)
typedef int64_t3 A1[5];
typedef uint A3[4];
typedef int2 A6[4];
typedef int A10[3];
typedef uint64_t2 A12[4];
static const uint c2[4] = { 2u, 12851u, 0x738u, 1431655765u, };
static float3x4 s4 = float3x4(39.75f, (-2.0), 54.375f, (-43.625), 15.25f, (-46.125f), 6.125f, 27.0, 40.125f, 37.375f, 54.875, 4.375f);
template<typename T, uint N>
struct S5 {
T m7[N];
T m8;
T at(uint i) { return m7[i % N]; }
};
[[vk::binding(0)]] RWByteAddressBuffer Out;
[[vk::binding(4)]] RWStructuredBuffer<uint> Acc;
[[vk::binding(6)]] RWByteAddressBuffer Own;
[[vk::binding(7)]] RWByteAddressBuffer Bytes;
[[vk::binding(8)]] RWStructuredBuffer<int> AccI;
[[vk::binding(1)]] StructuredBuffer<S5<int2, 4> > In;
[[vk::binding(3)]] RWStructuredBuffer<S5<int2, 4> > Work;
[[vk::binding(5)]] cbuffer Block {
int4 CI;
S5<int2, 4>  b9;
int b11[3];
uint64_t2 b13[4];
};
groupshared float G14[THREADS];
groupshared int16_t G15[THREADS];
void precise_sum(float a, out precise float r) { r = (a + 0.1f) - a; }
template<uint N, typename T>
T t16(T a, T b) { if (N > 2) return a ^ b; return a & b; }
template<typename T, uint N>
T t17(T a, T b) { T c = a; [unroll] for (uint i = 0; i < N; i++) c = c * 3 + b; return c; }
int f18() {
float v19 = (-37.125f);
return ((int)max(((((int64_t)0x6008e83bu << 32) | (int64_t)8388608u) * ((int64_t)(-16401))), ((int64_t)0x10000)));
}
uint f20(uint64_t3 a21, int16_t2 a22, uint a23) {
if (((bool)((uint)mad(((int)18), In[10].m7[0].g, In[((uint)b11[1] % 11u)].m8[1])))) {
uint4 r24 = t16<4>((((uint4)1431655765u) * (((uint4)18u) - c2[3])), (false ? (uint4(0u, 1048576u, 0xa33u, 0u) - CI) : uint4(28660u, 12u, 15u, 8u)));
a22.x = ((int16_t)(-0xe));
}
else {
uint v25 = b9.m8.r;
}
a22.g &= a22.g;
int4 v26 = int4(0x4, 0x55555555, 6, 0xa);
return 0x3u;
}
template<typename T, uint N>
T t27(T a, T b) { T c = a; [unroll] for (uint i = 0; i < N; i++) c = c * 3 + b; return c; }
void body(uint3 tid, uint3 gtid, uint3 gid, uint gi) {
uint me = gid.x * THREADS + gi;
uint v28 = (((0xeu ^ me) <= 5u) ? max((me % (c2[((b9.m7[0].r * Work[me].m8[1]) & 3)] | 1)), me) : ((!true) ? (-gid[0]) : dot(uint2(32215u, 18u), uint2(1u, 0x400u))));
int v29[3] = b11;
const uint16_t3 v30 = (((bool3(true, true, true), (((uint16_t3)((uint16_t)8192)) ^ ((uint16_t)0x200))) - (uint16_t3(((uint16_t)0xb), ((uint16_t)32767), ((uint16_t)0x49f)) * uint16_t3(((uint16_t)5), ((uint16_t)0x1), ((uint16_t)21845)))) * ((uint16_t3)((uint16_t)6)));
float16_t v31 = min(float16_t(int((round((-7.0h)) * ((-0.5h) - (-7.5h)))) & 7), float16_t(int((max((-8.0h), (-6.5h)) + (-1.5h))) & 7));
uint v32 = 0x5293u;
Work[me] = Work[me];
int3 v33 = CI.rbb;
v31 = v31;
v28 = t17<uint, 3>(c2[0], v32);
double v34 = 67.71875L;
v32 <<= (0x9u & 31);
uint h35 = v28;
{ uint f18 = h35 + 3u; h35 ^= f18 * 5u; if (f18 < h35) { int f18 = 2; h35 += f18; } }
int v36[3] = b11;
uint4 r37 = t16<4>(uint4(4u, 0x800u, 18u, 5u), ((uint4)0x9u));
Out.Store((me * SLOTS + 0u) * 8u, (uint)v28);
Out.Store((me * SLOTS + 1u) * 8u, (uint)v29[0]);
Out.Store((me * SLOTS + 2u) * 8u, (uint)v29[1]);
Out.Store((me * SLOTS + 3u) * 8u, (uint)v29[2]);
Out.Store((me * SLOTS + 4u) * 8u, (uint)v30.x);
Out.Store((me * SLOTS + 5u) * 8u, (uint)v30.y);
Out.Store((me * SLOTS + 6u) * 8u, (uint)v30.z);
Out.Store((me * SLOTS + 7u) * 8u, asuint((float)v31));
Out.Store((me * SLOTS + 8u) * 8u, (uint)v32);
Out.Store((me * SLOTS + 9u) * 8u, (uint)v33.x);
Out.Store((me * SLOTS + 10u) * 8u, (uint)v33.y);
Out.Store((me * SLOTS + 11u) * 8u, (uint)v33.z);
Out.Store<double>((me * SLOTS + 12u) * 8u, v34);
Out.Store((me * SLOTS + 13u) * 8u, (uint)h35);
Out.Store((me * SLOTS + 14u) * 8u, (uint)v36[0]);
Out.Store((me * SLOTS + 15u) * 8u, (uint)v36[1]);
Out.Store((me * SLOTS + 16u) * 8u, (uint)v36[2]);
Out.Store((me * SLOTS + 17u) * 8u, (uint)r37.x);
Out.Store((me * SLOTS + 18u) * 8u, (uint)r37.y);
Out.Store((me * SLOTS + 19u) * 8u, (uint)r37.z);
Out.Store((me * SLOTS + 20u) * 8u, (uint)r37.w);
Out.Store((me * SLOTS + 21u) * 8u, asuint(s4._m00));
Out.Store((me * SLOTS + 22u) * 8u, asuint(s4._m01));
Out.Store((me * SLOTS + 23u) * 8u, asuint(s4._m02));
Out.Store((me * SLOTS + 24u) * 8u, asuint(s4._m03));
Out.Store((me * SLOTS + 25u) * 8u, asuint(s4._m10));
Out.Store((me * SLOTS + 26u) * 8u, asuint(s4._m11));
Out.Store((me * SLOTS + 27u) * 8u, asuint(s4._m12));
Out.Store((me * SLOTS + 28u) * 8u, asuint(s4._m13));
Out.Store((me * SLOTS + 29u) * 8u, asuint(s4._m20));
Out.Store((me * SLOTS + 30u) * 8u, asuint(s4._m21));
Out.Store((me * SLOTS + 31u) * 8u, asuint(s4._m22));
Out.Store((me * SLOTS + 32u) * 8u, asuint(s4._m23));
}
#ifdef NODE
[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(2, 1, 1)]
#endif
[numthreads(64, 1, 1)]
void main(uint3 tid : SV_DispatchThreadID, uint3 gtid : SV_GroupThreadID, uint3 gid : SV_GroupID, uint gi : SV_GroupIndex) {
body(tid, gtid, gid, gi);
}
