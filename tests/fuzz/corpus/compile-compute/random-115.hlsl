//@ options entry=main 16bit
#define SLOTS 26u
#define THREADS 64
#define MIX(a, b) ((a) * 31u ^ (b))
#define DECLARE(type, name, value) type name = (value)
#define JOIN(a, b) a##b
#define CAT(a, b) JOIN(a, b)
#define VARIADIC(f, ...) f(__VA_ARGS__)
typedef int64_t A6[5];
typedef double A7[4];
typedef uint A13[2];
enum E1 { k2, k3 = 20, k4, k5 = 30 };
static const float4 c8 = float4(33.375, 39.75, 25.75f, (-36.375));
static const float c9 = (-28.375f);
static int s10 = (-4);
static uint4 s11 = uint4(305419896u, 16u, 536870912u, 3u);
template<typename T, uint N>
struct S12 {
T m14[N];
T m15;
T at(uint i) { return m14[i % N]; }
};
[[vk::binding(0)]] RWByteAddressBuffer Out;
[[vk::binding(4)]] RWStructuredBuffer<uint> Acc;
[[vk::binding(6)]] RWByteAddressBuffer Own;
[[vk::binding(7)]] RWByteAddressBuffer Bytes;
[[vk::binding(8)]] RWStructuredBuffer<int> AccI;
[[vk::binding(1)]] StructuredBuffer<S12<uint, 2> > In;
[[vk::binding(3)]] RWStructuredBuffer<S12<uint, 2> > Work;
[[vk::binding(5)]] cbuffer Block {
int4 CI;
float4 b16;
};
groupshared int16_t G17[THREADS];
groupshared E1 G18[THREADS];
void precise_sum(float a, out precise float r) { r = (a + 0.1f) - a; }
uint64_t f19(uint64_t a20, float a21, in float a22) {
if (true) {
if ((((!false) ? true : false) ? false : (k2 == k4))) return ((a20 + (((uint64_t)0x3efb428bu << 32) | (uint64_t)0x11u)) + (false ? a20 : a20));
bool v23 = true;
uint v24[2] = In[2].m14;
}
float2x2 v25 = ((float2x2)52.5);
const int v26 = (-20942);
float v27 = c9;
return a20;
}
uint f28(float3x3 a29) {
float v30 = float(int(((-38.375f) + round(float(int(trunc(((float)(-8.0)))) & 63)))) & 63);
if (true) return mul(((uint2)970u), (((uint2)5031u) | ((uint2)11u)));
uint64_t r31 = f19((((((uint64_t)0x2b400fd1u << 32) | (uint64_t)16u) | ((uint64_t)17)) | ((uint64_t)12)), c9, c9);
return In[6].m15;
}
namespace N32 {
static const uint n33 = 2u;
uint f34(int a35) {
for (int i36 = 2; i36 != 6; i36++) {
S12<uint, 2>  v37 = In[(mad(0x5u, 0x1000000u, n33) % 11u)];
}
if ((k3 != k5)) {
uint64_t r38 = f19((max(((uint64_t)11), (((uint64_t)0x57f697bfu << 32) | (uint64_t)0xau)) - mad(a35, a35, ((int)(-16)))), step(c9, ((float)(n33 & 63))), min(c9, float(int(mul(b16.xw, b16.bb)) & 63)));
}
else {
int v39 = s10;
}
return (unpack_u8u32((uint8_t4_packed)(true ? (In[((65536u * In[0].m14[1]) % 11u)].m14[(min(s10, a35) & 1)] % (n33 | 1)) : s11.w))).x;
}
}
void body(uint3 tid, uint3 gtid, uint3 gid, uint gi) {
uint me = gid.x * THREADS + gi;
S12<uint, 2>  v40 = Work[me];
double v41[4] = ((A7)0);
uint64_t2 v42 = ((((uint64_t4)(((uint64_t)0x48134d4du << 32) | (uint64_t)12249u)) & (((uint64_t)0x1f4e8349u << 32) | (uint64_t)0xdu)) & (~uint64_t4((((uint64_t)0xdb57a05u << 32) | (uint64_t)10u), ((uint64_t)9), (((uint64_t)0x65216e46u << 32) | (uint64_t)0x7u), ((uint64_t)14))));
Own.Store<uint16_t4>(me * 384u + 128u, ((uint16_t4)(int16_t4(((int16_t)2), ((int16_t)(-10123)), ((int16_t)32767), ((int16_t)7)) - (false ? int16_t4(((int16_t)9), ((int16_t)(-14)), ((int16_t)16862), ((int16_t)32767)) : int16_t4(((int16_t)4), ((int16_t)0x3), ((int16_t)9), ((int16_t)9))))));
G18[gi] = k2;
GroupMemoryBarrierWithGroupSync();
E1 g43 = G18[63u - gi];
GroupMemoryBarrierWithGroupSync();
[branch] if (any(((int2(65536, 0xd) | CI.ba) ^ (int2(10, 1) * int2(0xc, 268435456) + CI.gg - int2((-0x9), (-14)))))) {
uint x44 = VARIADIC(min, (dot(gtid, uint3(6u, 65536u, 27521u)) - (14u ^ In[((uint)s10 % 11u)].m15)), (max(me, v40.m15) & all(((bool3)false))));
float v45 = float(int((float(int(((((uint64_t)1048576) <= v42[(In[5].m15 & 1)]) ? c8[(min(0x4423u, 128u) & 3)] : (b16[1] * 41.625f))) & 63) - float(int((ceil(c9) * max(c9, c9))) & 63))) & 63);
v42.r = f19(((((uint64_t)0xffff) | v42.g) & asuint((CI[(me & 3)] + (int)gi))), abs(b16[(Work[me].m15 & 3)]), float(int(ceil(float(int(mul(((float3)41.5), b16.bgg)) & 63))) & 63));
}
else {
DECLARE(uint, x46, (Work[me].at(17u) - max(Work[me].m15, v40.m14[(1u & 1)])));
}
double v47[4] = ((A7)0);
double v48[4] = v47;
uint h49 = ((true ? true : false) ? (false ? In[4].m14[((tid.z ^ ~0x2u * gid[2]) & 1)] : In[(0xbu % 11u)].m15) : (gi | s10));
{ uint f19 = h49 + 3u; h49 ^= f19 * 5u; if (f19 < h49) { int f19 = 2; h49 += f19; } }
G17[gi] = (((((int16_t)8) * ((int16_t)21845)) * (((int16_t)0xc) + ((int16_t)2))) + ((int16_t)4));
GroupMemoryBarrierWithGroupSync();
int16_t g50 = G17[(gi + 53u) % 64u];
GroupMemoryBarrierWithGroupSync();
precise float p51 = (((b16[3] * ((float)1e-3f)) - (((float)0.1f) - c9)) + ((c9 * c8.w) - ((c9 * c8.w) + b16[1])));
p51 = p51 * 1.1f + ((c8[3] * ((float)3.3333333f)));
Out.Store((me * SLOTS + 0u) * 8u, asuint(p51));
Out.Store((me * SLOTS + 1u) * 8u, (uint)v40.m14[0]);
Out.Store((me * SLOTS + 2u) * 8u, (uint)v40.m14[1]);
Out.Store((me * SLOTS + 3u) * 8u, (uint)v40.m15);
Out.Store<double>((me * SLOTS + 4u) * 8u, v41[0]);
Out.Store<double>((me * SLOTS + 5u) * 8u, v41[1]);
Out.Store<double>((me * SLOTS + 6u) * 8u, v41[2]);
Out.Store<double>((me * SLOTS + 7u) * 8u, v41[3]);
Out.Store<uint64_t>((me * SLOTS + 8u) * 8u, v42.x);
Out.Store<uint64_t>((me * SLOTS + 9u) * 8u, v42.y);
Out.Store((me * SLOTS + 10u) * 8u, (uint)g43);
Out.Store<double>((me * SLOTS + 11u) * 8u, v47[0]);
Out.Store<double>((me * SLOTS + 12u) * 8u, v47[1]);
Out.Store<double>((me * SLOTS + 13u) * 8u, v47[2]);
Out.Store<double>((me * SLOTS + 14u) * 8u, v47[3]);
Out.Store<double>((me * SLOTS + 15u) * 8u, v48[0]);
Out.Store<double>((me * SLOTS + 16u) * 8u, v48[1]);
Out.Store<double>((me * SLOTS + 17u) * 8u, v48[2]);
Out.Store<double>((me * SLOTS + 18u) * 8u, v48[3]);
Out.Store((me * SLOTS + 19u) * 8u, (uint)h49);
Out.Store((me * SLOTS + 20u) * 8u, (uint)g50);
Out.Store((me * SLOTS + 21u) * 8u, (uint)s10);
Out.Store((me * SLOTS + 22u) * 8u, (uint)s11.x);
Out.Store((me * SLOTS + 23u) * 8u, (uint)s11.y);
Out.Store((me * SLOTS + 24u) * 8u, (uint)s11.z);
Out.Store((me * SLOTS + 25u) * 8u, (uint)s11.w);
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
