//@ options entry=main 16bit
#define SLOTS 27u
#define THREADS 8
#define MIX(a, b) ((a) * 31u ^ (b))
#define DECLARE(type, name, value) type name = (value)
#define JOIN(a, b) a##b
#define CAT(a, b) JOIN(a, b)
#define VARIADIC(f, ...) f(__VA_ARGS__)
typedef uint A9[3];
typedef uint A11[4];
enum class E1 { k2, k3 = 30, k4 };
enum E5 { k6, k7 = 72, k8 = 35 };
static const uint c10[4] = { 16u, 15u, 19u, 7u, };
static bool2 s12 = bool2(true, true);
[[vk::binding(0)]] RWByteAddressBuffer Out;
[[vk::binding(4)]] RWStructuredBuffer<uint> Acc;
[[vk::binding(6)]] RWByteAddressBuffer Own;
[[vk::binding(7)]] RWByteAddressBuffer Bytes;
[[vk::binding(8)]] RWStructuredBuffer<int> AccI;
[[vk::binding(1)]] StructuredBuffer<uint> In;
[[vk::binding(3)]] RWStructuredBuffer<float16_t2> Work;
[[vk::binding(5)]] cbuffer Block {
int4 CI;
float3x4 b13;
float3x4 b14;
};
groupshared float G15[THREADS];
groupshared E1 G16[THREADS];
void precise_sum(float a, out precise float r) { r = (a + 0.1f) - a; }
bool3 f17() {
uint v18[4] = ((A11)0);
if ((((((uint16_t)0xe) * ((uint16_t)4)) * ((uint16_t)255)) <= ((uint16_t)6))) {
bool b19 = false && (v18[3]-- != 3);
}
int16_t2 v20 = int16_t2(((int16_t)17), ((int16_t)5));
uint v21[4] = c10;
return bool3(false, false, false);
}
namespace N22 {
static const uint n23 = 9u;
int16_t f24(int2 a25) {
int16_t4 v26 = (((int16_t4(((int16_t)0x2000), ((int16_t)12), ((int16_t)21845), ((int16_t)0x6f8d)) + ((int16_t4)((int16_t)1))) ^ (-int16_t4(((int16_t)11), ((int16_t)11), ((int16_t)3), ((int16_t)64)))) | (select(s12, int16_t2(((int16_t)16), ((int16_t)255)), int16_t2(((int16_t)2), ((int16_t)0x7fff)))).xyyy);
float16_t v27 = float16_t(int((((float16_t)(a25[((((int)0x7fffffff) & CI[3]) & 1)] & 7)) + max(6.25h, (-6.5h)))) & 7);
return ((int16_t)(-16));
}
}
void body(uint3 tid, uint3 gtid, uint3 gid, uint gi) {
uint me = gid.x * THREADS + gi;
double v28 = 185.75L;
int v29 = (max((true ? CI.x : CI.z), mul(CI.xx, CI.gb)) | (~(((int)6) / ((((int)27247) & 7) + 1))));
int v30 = max((((int)Work[me].r) ^ ((int)(((uint64_t)0x2fde225cu << 32) | (uint64_t)8u))), max((s12[0] ? CI.x : v29), WaveActiveMax(((int)0x7fffffff))));
DECLARE(uint, x31, 16777216u);
{ uint i32 = 0; [fastopt] while (i32++ < 2 && all(((bool4)(uint64_t4((((uint64_t)0x6f8d28bcu << 32) | (uint64_t)3u), ((uint64_t)0x2775), ((uint64_t)0x10000), (((uint64_t)0x55dff6bfu << 32) | (uint64_t)17u)) & uint64_t4(((uint64_t)262144), ((uint64_t)268435456), ((uint64_t)18), ((uint64_t)262144)))))) {
const uint v33 = (mad(3u, c10[(gi & 3)], 33554432u) + (0xfu ^ 0x5u) | mul(tid, gid) ^ ~(i32 - -c10[((4u * 11u) & 3)] + tid[0] ^ 3u));
}
}
[flatten] if ((E1::k4 != E1::k4)) {
v29 = mad(((int)16), (v29 << ((v30 ^ v30) & 31)), CI[(gtid[2] & 3)]);
}
bool3 r34 = f17();
uint4 v35 = (max(double3(int3((double3(89.703125L, 60.265625L, (-76.296875L)) - double3(114.734375L, 212.921875L, 23.875L))) & 255), (double2((-205.1875L), (-200.59375L))).rgr), (gtid.grgr ^ ((~gid.yxzy) - ((uint4)4u))));
x31 = ((uint)dot4add_i8packed(clamp((gi - 26275u), min((c10[1] ^ c10[2]), (17u >> (gtid.r & 31))), max((c10[1] ^ c10[2]), (17u >> (gtid.r & 31)))), gi, v30));
uint16_t v36 = ((uint16_t)0);
const int16_t3 v37 = int16_t3(((int16_t)16), ((int16_t)0x13), ((int16_t)0x7fff));
float4 v38 = b13._m03;
uint2 v39 = tid.yx;
bool3 r40 = f17();
float q41 = rcp(abs(((float)(-28.5))) + 0.5f);
Out.Store((me * SLOTS + 0u) * 8u, asuint(q41));
Out.Store<double>((me * SLOTS + 1u) * 8u, v28);
Out.Store((me * SLOTS + 2u) * 8u, (uint)v29);
Out.Store((me * SLOTS + 3u) * 8u, (uint)v30);
Out.Store((me * SLOTS + 4u) * 8u, (uint)x31);
Out.Store((me * SLOTS + 5u) * 8u, (uint)r34.x);
Out.Store((me * SLOTS + 6u) * 8u, (uint)r34.y);
Out.Store((me * SLOTS + 7u) * 8u, (uint)r34.z);
Out.Store((me * SLOTS + 8u) * 8u, (uint)v35.x);
Out.Store((me * SLOTS + 9u) * 8u, (uint)v35.y);
Out.Store((me * SLOTS + 10u) * 8u, (uint)v35.z);
Out.Store((me * SLOTS + 11u) * 8u, (uint)v35.w);
Out.Store((me * SLOTS + 12u) * 8u, (uint)v36);
Out.Store((me * SLOTS + 13u) * 8u, (uint)v37.x);
Out.Store((me * SLOTS + 14u) * 8u, (uint)v37.y);
Out.Store((me * SLOTS + 15u) * 8u, (uint)v37.z);
Out.Store((me * SLOTS + 16u) * 8u, asuint(v38.x));
Out.Store((me * SLOTS + 17u) * 8u, asuint(v38.y));
Out.Store((me * SLOTS + 18u) * 8u, asuint(v38.z));
Out.Store((me * SLOTS + 19u) * 8u, asuint(v38.w));
Out.Store((me * SLOTS + 20u) * 8u, (uint)v39.x);
Out.Store((me * SLOTS + 21u) * 8u, (uint)v39.y);
Out.Store((me * SLOTS + 22u) * 8u, (uint)r40.x);
Out.Store((me * SLOTS + 23u) * 8u, (uint)r40.y);
Out.Store((me * SLOTS + 24u) * 8u, (uint)r40.z);
Out.Store((me * SLOTS + 25u) * 8u, (uint)s12.x);
Out.Store((me * SLOTS + 26u) * 8u, (uint)s12.y);
}
#ifdef NODE
[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(2, 1, 1)]
#endif
[numthreads(8, 1, 1)]
void main(uint3 tid : SV_DispatchThreadID, uint3 gtid : SV_GroupThreadID, uint3 gid : SV_GroupID, uint gi : SV_GroupIndex) {
body(tid, gtid, gid, gi);
}
