//@ options entry=main
#define SLOTS 16u
#define THREADS 8
#define MIX(a, b) ((a) * 31u ^ (b))
#define DECLARE(type, name, value) type name = (value)
#define JOIN(a, b) a##b
#define CAT(a, b) JOIN(a, b)
#define VARIADIC(f, ...) f(__VA_ARGS__)
typedef bool A10[3];
typedef int64_t A12[4];
typedef uint A16[5];
enum E1 { k2, k3 = 98, k4 = 37, k5 };
enum E6 { k7, k8 = 75, k9 };
static const int64_t c11[4] = { (((int64_t)0x73f830f4u << 32) | (int64_t)0x11u), ((int64_t)0x6), (((int64_t)0x6de69507u << 32) | (int64_t)2147483647u), ((int64_t)(-524288)), };
static const uint4 c13 = ((uint4)0u);
static int64_t s14 = (((int64_t)0x3dd32be5u << 32) | (int64_t)15517u);
static uint s15 = 16u;
[[vk::binding(0)]] RWByteAddressBuffer Out;
[[vk::binding(4)]] RWStructuredBuffer<uint> Acc;
[[vk::binding(6)]] RWByteAddressBuffer Own;
[[vk::binding(7)]] RWByteAddressBuffer Bytes;
[[vk::binding(8)]] RWStructuredBuffer<int> AccI;
[[vk::binding(1)]] StructuredBuffer<float3x4> In;
[[vk::binding(3)]] RWStructuredBuffer<double> Work;
[[vk::binding(5)]] cbuffer Block {
int4 CI;
uint b17[5];
};
groupshared int64_t G18[THREADS];
groupshared uint4 G19[THREADS];
void precise_sum(float a, out precise float r) { r = (a + 0.1f) - a; }
int f20(inout int a21) {
int2 v22 = (((~CI.ga) & int2(int2(19, (-1)))) - and((uint2(3u, 25013u) < uint2(0x12345678u, 0xfu)), and(bool2(true, false), bool2(false, false))));
return CI.z;
}
template<typename T, uint N>
T t23(T a, T b) { T c = a; [unroll] for (uint i = 0; i < N; i++) c = c * 3 + b; return c; }
void body(uint3 tid, uint3 gtid, uint3 gid, uint gi) {
uint me = gid.x * THREADS + gi;
int v24 = ((asint(me) ^ (gi > gi)) + t23<int, 2>((~CI[(s15 & 3)] ^ CI.r ^ ((int)10) * CI[(((int)18975) & 3)] ^ ((int)(-0x12))), mul(((int3)(-0xffff)), ((int3)0x3))));
E1 v25 = k3;
uint3 v26 = (c13 - (c13 * c13));
v26[1] *= ((b17[4] * (true ? 4561u : b17[(gtid.x % 5u)])) ^ mul(select(bool3(false, true, true), gid, v26), (false ? gid : gid)));
uint x27 = MIX(dot4add_u8packed(WavePrefixCountBits(true), WavePrefixSum(gi), (true ? 5u : 5u)), 30622u);
uint2 r28 = t23<uint2, 4>(min(tid.zx, tid.bg), ((c13 ^ 0x7fffffffu)).xy);
uint c29 = (unpack_u8u32((uint8_t4_packed)1915u)).z;
uint c30 = (s15 + s15);
uint c31 = ((uint)((uint64_t)11));
uint c32 = max(b17[(b17[3] % 5u)], gi);
bool2 l33 = (c29 < c30, c31 > c32);
bool v34[3] = ((A10)0);
r28 = t23<uint2, 4>(max(uint2(0x12345678u, 1u), ((uint2)((int2)(-512)))), (gtid.zy & (v26.rr + uint2(16738u, 16180u))));
int v35 = ((1u >> (me & 31)) ^ (5u >> (s15 & 31)));
Out.Store((me * SLOTS + 0u) * 8u, (uint)v24);
Out.Store((me * SLOTS + 1u) * 8u, (uint)v25);
Out.Store((me * SLOTS + 2u) * 8u, (uint)v26.x);
Out.Store((me * SLOTS + 3u) * 8u, (uint)v26.y);
Out.Store((me * SLOTS + 4u) * 8u, (uint)v26.z);
Out.Store((me * SLOTS + 5u) * 8u, (uint)x27);
Out.Store((me * SLOTS + 6u) * 8u, (uint)r28.x);
Out.Store((me * SLOTS + 7u) * 8u, (uint)r28.y);
Out.Store((me * SLOTS + 8u) * 8u, (uint)l33.x);
Out.Store((me * SLOTS + 9u) * 8u, (uint)l33.y);
Out.Store((me * SLOTS + 10u) * 8u, (uint)v34[0]);
Out.Store((me * SLOTS + 11u) * 8u, (uint)v34[1]);
Out.Store((me * SLOTS + 12u) * 8u, (uint)v34[2]);
Out.Store((me * SLOTS + 13u) * 8u, (uint)v35);
Out.Store<int64_t>((me * SLOTS + 14u) * 8u, s14);
Out.Store((me * SLOTS + 15u) * 8u, (uint)s15);
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
