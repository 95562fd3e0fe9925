// Ordinary expressions and statements.
static const uint N = 4;
static const float3 Colours[2] = { float3(1, 0, 0), float3(0, 1, 0) };
groupshared uint Sums[N];
RWStructuredBuffer<uint> Out : register(u0);
StructuredBuffer<float2> In : register(t0);
RWTexture2D<float4> Image : register(u1);

struct Inner { uint a; float2 b; };
struct Outer { Inner inner; uint list[3]; };
enum Colour { Red, Green = 4, Blue };
enum class Kind : uint { A, B };

uint twice(uint x) { return x * 2; }
float twice(float x) { return x + x; }

uint literals() {
    uint a = 0x10u, b = 017, c = 1;
    int d = -1;
    float e = 1.5, f = .5f, g = 1e3;
    a += b << 2;
    a = b = c;
    d = a;
    e = d;
    return a + (uint)e;
}

float3 vectors(float2 v, float s) {
    float3 a = float3(v, s);
    a.xy = v.yx;
    a *= 2;
    a = a + 1;
    a.z += s;
    float3 b = s;
    float4 c = float4(a, 1).wzyx;
    bool3 t = a < b;
    if (any(t) && !all(t)) return c.xyz;
    return lerp(a, b, 0.5) + min(a, 0) + clamp(b, 0, 1) * dot(a, b);
}

uint flow(uint n) {
    uint sum = 0;
    for (uint i = 0; i < n; ++i) {
        if (i == 3) continue;
        if (i > 10) break;
        sum += i;
    }
    for (int i = 3; i >= 0; i--) sum += i;
    while (sum > 100) sum /= 2;
    do { ++sum; } while (sum < 5);
    switch (sum & 3) {
    case 0:
    case 1: sum = 7; break;
    case 2: return 3;
    default: break;
    }
    [unroll] for (uint k = 0; k < N; k++) { Sums[k] = k; }
    return sum > 3 ? sum : 0;
}

void structs() {
    Outer o = (Outer)0;
    o.inner.b.x = 3;
    o.list[1] = twice(o.inner.a);
    Inner i = { 1, 2.0, 3 };
    o.inner = i;
    uint table[] = { 1, 2, 3 };
    uint2 pair = { table[0], 2 };
    const float f = twice(1.5);
    Out[0] = table[pair.x] + Green;
    Out[1] += In[2].y;
    Kind kind = Kind::B;
    if (kind == Kind::A) Out[2] = (uint)kind;
    Image[uint2(1, 2)] = float4(Colours[1], 1);
    Image[pair].x = 2;
    InterlockedAdd(Sums[1], 1);
    uint old;
    InterlockedAdd(Out[3], 1u, old);
    InterlockedMax(Out[3], -1);
    GroupMemoryBarrierWithGroupSync();
    Barrier(UAV_MEMORY | GROUP_SHARED_MEMORY, GROUP_SYNC | GROUP_SCOPE);
}

void outs(out uint a, inout float b, uint c = 3) { a = c; b += a; }
void callouts() {
    uint x; float y = 1;
    outs(x, y);
    outs(x, y, 5);
    float2 s = 1, c;
    sincos(s, s, c);
    let z = saturate(s * 2) + rcp(c);
    var w = z.x;
    w = sqrt(2) + pow(2, 0.5) + abs(-3) + frac(1.5);
    uint bits = countbits(7) + firstbithigh(8u) + reversebits(1u) + asuint(1.0);
}

template<typename T> T largest(T a, T b) { return a > b ? a : b; }
template<typename T, uint K> T total(T list[K]) { T t = (T)0; for (uint i = 0; i < K; ++i) t += list[i]; return t; }
uint templates() {
    float list[3] = { 1, 2, 3 };
    return largest(1u, 2) + largest<float>(1, 2.5) + total(list);
}
