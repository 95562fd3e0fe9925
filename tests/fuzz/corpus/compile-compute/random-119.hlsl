//@ options entry=main 16bit
#define SLOTS 38u
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
float4x3 masked43(float4x3 m) {
m[0] = float3(int3(m[0]) & 63);
m[1] = float3(int3(m[1]) & 63);
m[2] = float3(int3(m[2]) & 63);
m[3] = float3(int3(m[3]) & 63);
return m;
}
typedef int16_t A6[3];
typedef float A7[3];
typedef float16_t2 A8[5];
typedef uint4 A10[4];
enum class E1 { k2, k3 = 47, k4, k5 };
static const uint4 c9[4] = { uint4(6u, 13u, 19u, 2807u), ((uint4)21561u), uint4(512u, 20048u, 0xffffu, 17u), ((uint4)0x7fffffffu), };
static uint16_t s11 = ((uint16_t)0x12);
[[vk::binding(0)]] RWByteAddressBuffer Out;
[[vk::binding(4)]] RWStructuredBuffer<uint> Acc;
[[vk::binding(6)]] RWByteAddressBuffer Own;
[[vk::binding(7)]] RWByteAddressBuffer Bytes;
[[vk::binding(8)]] RWStructuredBuffer<int> AccI;
[[vk::binding(1)]] StructuredBuffer<int16_t> In;
[[vk::binding(3)]] RWStructuredBuffer<bool> Work;
[[vk::binding(5)]] cbuffer Block {
int4 CI;
int3 b12;
uint b13;
int3 b14;
uint b15;
};
groupshared uint64_t G16[THREADS];
groupshared bool G17[THREADS];
void precise_sum(float a, out precise float r) { r = (a + 0.1f) - a; }
template<typename T, uint N>
T t18(T a, T b) { T c = a; [unroll] for (uint i = 0; i < N; i++) c = c * 3 + b; return c; }
float4x3 f19(inout float4 a20, inout uint a21, int16_t a22) {
int64_t r23 = t18<int64_t, 1>(((int64_t)t18<int, 4>(b14.x, b14.b)), (((int64_t)(-32)) + ((int64_t)12) ^ ((int64_t)7) + ~((int64_t)10)));
return (-masked43(((true ? float4x3(9.5f, (-1.125f), 23.625f, 45.0f, (-9.625), (-48.25), (-43.25), 40.0, (-60.5f), 5.75, (-42.625), (-47.5f)) : float4x3((-31.75), 28.375f, (-28.625f), 48.0, (-27.5), (-52.125), (-6.5f), (-57.875f), 48.0, (-36.625f), (-30.75), (-36.0))) * ((float4x3)(-11.125)))));
}
int f24() {
bool2 v25 = select(((bool2)true), or(((bool2)((float16_t2)(-4.25h))), (!bool2(false, false))), or(select(((bool2)false), ((bool2)false), bool2(true, true)), ((bool2)true)));
float2x4 v26 = float2x4(28.75f, (-8.0f), 46.0f, 7.125, 49.875, (-58.75f), 8.875, (-27.25f));
E1 v27 = E1::k5;
return CI[1];
}
template<uint N, typename T>
T t28(T a, T b) { if (N > 2) return a ^ b; return a & b; }
template<typename T, uint N>
T t29(T a, T b) { T c = a; [unroll] for (uint i = 0; i < N; i++) c = c * 3 + b; return c; }
void body(uint3 tid, uint3 gtid, uint3 gid, uint gi) {
uint me = gid.x * THREADS + gi;
E1 v30 = E1::k5;
uint v31 = (mad(((uint)abs(((float)(-15.625)))), (Work[me] ? b15 : gi), 29880u) - mul(c9[(me & 3)].xy, ((uint2)abs(float2(60.0, 3.875f)))));
int3 v32 = clamp((Work[me] ? b14.r : b12[2]), min(b14.g, (CI[(reversebits(me) & 3)] - CI[(countbits(gtid[0]) & 3)])), max(b14.g, (CI[(reversebits(me) & 3)] - CI[(countbits(gtid[0]) & 3)])));
float3x2 v33 = masked32(((((bool)10.5f) ? (-((float3x2)(-20.25f))) : (float3x2(58.5f, (-45.75f), 54.75f, (-37.125), (-63.625f), (-23.125)) - float3x2(26.375f, 19.0f, 22.625, 56.625, (-56.25f), 37.875f))) + float3x2((-28.625), (-49.25), 24.125f, (-45.5), (-50.75f), 28.5f)));
v32[(b15 % 3u)] = t18<int, 4>(t18<int, 4>((b12[0] & b14[0]), (b14.r & 305419896)), CI.b);
uint64_t v34 = ((uint64_t)17);
float v35[3] = ((A7)0);
float v36 = float(int(dot(float4((-48.25), 27.5f, 37.75f, 53.375), float4(57.25, (-20.875), 22.125, (-43.0)))) & 63);
uint64_t3 v37 = (((((uint64_t)0x3b30edabu << 32) | (uint64_t)0x0u) - (((uint64_t)0x238901beu << 32) | (uint64_t)2u)) + (v34 + v34));
int r38 = t18<int, 4>(sign(t18<int, 4>(((int)65535), ((int)5662))), asint(tid.b));
r38 -= (((true != Work[me]) ? mul(b14, b14) : (true ? ((int)(-2)) : v32.b)) & mul(int2(0x5, 0x1), b12.xx));
uint4 v39[4] = ((A10)0);
uint16_t v40 = (((true == Work[me]) == (!Work[me])) ? s11 : ((uint16_t)3));
r38 >>= ((((int)65535) + t18<int, 4>(((int)(-67108864)), r38)) & 31);
Out.Store((me * SLOTS + 0u) * 8u, (uint)v30);
Out.Store((me * SLOTS + 1u) * 8u, (uint)v31);
Out.Store((me * SLOTS + 2u) * 8u, (uint)v32.x);
Out.Store((me * SLOTS + 3u) * 8u, (uint)v32.y);
Out.Store((me * SLOTS + 4u) * 8u, (uint)v32.z);
Out.Store((me * SLOTS + 5u) * 8u, asuint(v33._m00));
Out.Store((me * SLOTS + 6u) * 8u, asuint(v33._m01));
Out.Store((me * SLOTS + 7u) * 8u, asuint(v33._m10));
Out.Store((me * SLOTS + 8u) * 8u, asuint(v33._m11));
Out.Store((me * SLOTS + 9u) * 8u, asuint(v33._m20));
Out.Store((me * SLOTS + 10u) * 8u, asuint(v33._m21));
Out.Store<uint64_t>((me * SLOTS + 11u) * 8u, v34);
Out.Store((me * SLOTS + 12u) * 8u, asuint(v35[0]));
Out.Store((me * SLOTS + 13u) * 8u, asuint(v35[1]));
Out.Store((me * SLOTS + 14u) * 8u, asuint(v35[2]));
Out.Store((me * SLOTS + 15u) * 8u, asuint(v36));
Out.Store<uint64_t>((me * SLOTS + 16u) * 8u, v37.x);
Out.Store<uint64_t>((me * SLOTS + 17u) * 8u, v37.y);
Out.Store<uint64_t>((me * SLOTS + 18u) * 8u, v37.z);
Out.Store((me * SLOTS + 19u) * 8u, (uint)r38);
Out.Store((me * SLOTS + 20u) * 8u, (uint)v39[0].x);
Out.Store((me * SLOTS + 21u) * 8u, (uint)v39[0].y);
Out.Store((me * SLOTS + 22u) * 8u, (uint)v39[0].z);
Out.Store((me * SLOTS + 23u) * 8u, (uint)v39[0].w);
Out.Store((me * SLOTS + 24u) * 8u, (uint)v39[1].x);
Out.Store((me * SLOTS + 25u) * 8u, (uint)v39[1].y);
Out.Store((me * SLOTS + 26u) * 8u, (uint)v39[1].z);
Out.Store((me * SLOTS + 27u) * 8u, (uint)v39[1].w);
Out.Store((me * SLOTS + 28u) * 8u, (uint)v39[2].x);
Out.Store((me * SLOTS + 29u) * 8u, (uint)v39[2].y);
Out.Store((me * SLOTS + 30u) * 8u, (uint)v39[2].z);
Out.Store((me * SLOTS + 31u) * 8u, (uint)v39[2].w);
Out.Store((me * SLOTS + 32u) * 8u, (uint)v39[3].x);
Out.Store((me * SLOTS + 33u) * 8u, (uint)v39[3].y);
Out.Store((me * SLOTS + 34u) * 8u, (uint)v39[3].z);
Out.Store((me * SLOTS + 35u) * 8u, (uint)v39[3].w);
Out.Store((me * SLOTS + 36u) * 8u, (uint)v40);
Out.Store((me * SLOTS + 37u) * 8u, (uint)s11);
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
