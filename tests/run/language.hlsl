// The language without the graph: one thread writes the result of each construct.

RWStructuredBuffer<uint> Out : register(u0);
RWStructuredBuffer<float> Reals : register(u1);
RWByteAddressBuffer Raw : register(u2);

struct Args { uint n; int m; float x; };
struct Pair { uint2 at; float w; };
struct Acc
{
    uint total;
    void add(uint v) { total += v; }
    uint twice() { return total * 2; }
};
enum Mode { First, Second = 5, Third };
static const uint Primes[5] = { 2, 3, 5, 7, 11 };
static uint next = 100;

uint fresh() { next += 1; return next; }
void swap(inout uint a, inout uint b) { uint t = a; a = b; b = t; }
void both(inout uint a, inout uint b) { a += 1; b += 10; }
void split(float v, out int whole, out float rest) { whole = v; rest = v - whole; }
uint kind(uint v) { switch (v) { case 0: case 2: return 20; case 5: break; default: v += 1; break; } return v; }
template<typename T> T biggest(T a, T b, T c) { return a > b ? (a > c ? a : c) : (b > c ? b : c); }
uint walk(uint n)
{
    uint sum = 0;
    for (uint i = 0; i < n; ++i) {
        if (i == 2) continue;
        for (uint j = 0; j < 10; ++j) {
            if (j > i) break;
            switch (j & 1) { case 1: continue; default: sum += j; break; }
            sum += 100;
        }
        if (sum > 700) return sum;
    }
    do { sum += 1; if (sum % 7 == 0) break; } while (sum < 1000);
    return sum;
}

[Shader("node")]
[NodeLaunch("thread")]
[NodeIsProgramEntry]
void Language(ThreadNodeInputRecord<Args> input)
{
    uint n = input.Get().n;     // 7
    int m = input.Get().m;      // -3
    float x = input.Get().x;    // 2.75

    // Conversions.
    Out[0] = m;
    Out[1] = (uint)x + (x > 2);
    Out[2] = m / 2;
    Out[3] = m % 2;
    Out[4] = m >> 1;
    Out[5] = (uint)m >> 28;
    Out[6] = n - 8 < 0 ? 1 : 2;
    Out[7] = (int)n + m < 0 ? 1 : 2;
    Out[8] = 1 << n | Third ^ 3;
    Reals[0] = n / 2 + m;
    Reals[1] = n / 2.0 - 1;
    Reals[2] = -x + 1e1;

    // Vectors.
    uint4 v = uint4(n, 2, 3, 4);
    v.zx = v.xy;
    v.w += v.z;
    Out[9] = v.x * 1000 + v.y * 100 + v.z * 10 + v.w;
    v[n & 1] = 9;
    v *= 2;
    Out[10] = dot(v, uint4(1, 10, 100, 1000));
    uint3 w = v.wzy % 5;
    Out[11] = w.x * 100 + w.y * 10 + w.z;
    bool3 t = w > 1;
    Out[12] = (any(t) ? 1 : 0) + (all(t) ? 2 : 0) + t.y * 4;
    Reals[3] = length(float3(2, 3, 6)) + min(x, 2).xxx.y;

    // Copying in and out.
    uint a = 1, b = 2;
    swap(a, b);
    both(a, a);
    Out[13] = a * 10 + b;
    int whole; float rest;
    split(x, whole, rest);
    Out[14] = whole;
    Reals[4] = rest;
    uint list[3] = { 5, 6, 7 };
    swap(list[0], list[n - 5]);
    Out[15] = list[0] * 100 + list[1] * 10 + list[2];
    Out[16] = 3;
    swap(Out[16], list[1]);
    Out[17] = list[1];

    // Order and laziness.
    uint i = 1;
    uint s = i++ * 10 + ++i;
    Out[18] = s * 10 + i;
    bool lazy = n > 100 && fresh() > 0 || m < 0 || fresh() > 0;
    uint chosen = lazy ? 1 : fresh();
    Out[19] = next + chosen;
    Out[20] = fresh() - fresh();

    // Structures and lists.
    Pair p[2] = { { 1, 2, 3 }, uint2(fresh(), 5), n };
    Out[21] = p[0].at.y + p[1].at.x + (uint)p[1].w;
    Pair q = p[1];
    q.at.yx = uint2(8, 9);
    p[0] = q;
    Out[22] = p[0].at.x * 10 + p[0].at.y;
    Acc acc = (Acc)0;
    acc.add(3);
    acc.add(n);
    Out[23] = acc.twice();

    // Control flow.
    Out[24] = kind(0) + kind(2) * 10 + kind(5) * 100 + kind(7) * 1000;
    Out[25] = walk(3);
    Out[26] = walk(9);
    uint c = 0;
    while (true) { if (++c == n) break; }
    Out[27] = c;
    Out[28] = biggest(1u, n, 3u) + biggest<float>(2.5, 1, x);

    // Intrinsics.
    Out[29] = countbits(n) + firstbithigh(n) * 10 + firstbitlow(8u) * 100 + (reversebits(n) >> 29) * 1000;
    Out[30] = clamp(m, -2, 5) + abs(m) + sign(m) + max(n, 3);
    Reals[5] = saturate(x) + frac(x) + floor(-x) + lerp(1, 3, 0.25) + step(2, x) + smoothstep(0, 4, 1);
    Reals[6] = fmod(-x, 2) + round(2.5) + trunc(-x) + sqrt(16) + rsqrt(4) + exp2(3) + log2(8) + pow(2, 3);
    Out[31] = asuint(1.0) + asuint(asfloat(n));
    Out[32] = Primes[n - 4] * Primes[4];

    // Bytes.
    Pair stored = { 1, 2, 3.5 };
    Raw.Store<Pair>(4, stored);
    Raw.Store(0, 77);
    uint old;
    Raw.InterlockedAdd(0, 5, old);
    Pair loaded = Raw.Load<Pair>(4);
    Out[33] = loaded.at.x * 100 + loaded.at.y * 10 + (uint)(loaded.w * 2) + old * 1000;
    uint64_t big = (uint64_t)n << 40 | 5;
    Out[34] = (uint)(big >> 33) + (uint)big;
    Out[35] = sizeof(Pair) + sizeof(float3);

    // Atomics.
    InterlockedMax(Out[36], n);
    InterlockedCompareExchange(Out[36], 7, 12, old);
    Out[37] = old;
    InterlockedAdd(Out[36], -1, old);
    Out[38] = old;
}
