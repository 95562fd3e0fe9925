// Operators, constructors, conversions, elements and intrinsics of matrices.
RWStructuredBuffer<float> Out : register(u0);
RWStructuredBuffer<int> Ints : register(u1);

typedef row_major float2x3 M23;
static const float3x3 Table[2] = { { 1, 2, 3, 4, 5, 6, 7, 8, 10 }, float3x3(float3(1, 0, 0), 0, 2, 0, float3(0, 1, 1)) };
static uint next = 0;
static uint nextInt = 0;

struct Item { uint seed; };

void put(float x) { Out[next++] = x; }
void put(float2 x) { put(x.x); put(x.y); }
void put(float3 x) { put(x.xy); put(x.z); }
void put(float4 x) { put(x.xyz); put(x.w); }
void put(int x) { Ints[nextInt++] = x; }
template<typename T, int R, int C> void each(matrix<T, R, C> m)
{
    for (uint r = 0; r < R; ++r)
        for (uint c = 0; c < C; ++c)
            put(m[r][c]);
}
void change(inout float2x2 m, out float2x1 sums)
{
    m = -m;
    m[1].y += 10;
    sums = float2x1(m[0].x + m[0].y, m._m10 + m._m11);
}
float2x2 turned(float2x2 m) { return float2x2(m[1], m[0]); }

struct Frame
{
    float3x3 basis;
    float3 origin;
    float3 apply(float3 p) { return mul(basis, p) + origin; }
    void scale(float s) { basis *= s; }
};

[Shader("node")]
[NodeLaunch("thread")]
[NodeIsProgramEntry]
void Values(ThreadNodeInputRecord<Item> input)
{
    const float s = input.Get().seed; // 2
    M23 a = { s, 3, 4, float3(5, 6, 7) };
    float2x3 b = float2x3(1, 1, 1, 2, 2, 2);
    // 0: elementwise
    each(a + b * s);
    each(a / b - 1);
    each(float2x3(a > 4) + fmod(a, 3.0));
    a %= 4;
    each(a);
    float2x3 d = a++;
    each(d - --a);
    // 30: products
    float3 v = float3(1, -1, s);
    put(mul(b, v));
    put(mul(float2(s, 1), b));
    each(mul(b, Table[0]));
    each(mul(2, b));
    put(mul(v, v));
    put(mul(v, transpose(b)));
    each(transpose(mul(Table[1], transpose(b))));
    // 54: determinants
    put(determinant(Table[0]));
    put(determinant(float2x2(s, 3, 1, 4)));
    put(determinant(float4x4(1, 0, s, -1, 3, 0, 0, 5, 2, 1, 4, -3, 1, 0, 5, 0)));
    // 57: elements, rows and shapes
    float4x4 m = float4x4(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
    put(m._m00_m11_m22_m33);
    put(m._14_41);
    m._m01_m10 = m._m10_m01;
    m[2].zw = float2(-1, -2);
    m[uint(s)][uint(s) - 1] = 50;
    m._44 += 0.5;
    each((float2x3)m);
    each(float2x2(m[2].yz, m[3].zw));
    put(((float4)turned(float2x2(1, 2, 3, 4))).yzwx);
    // 77: functions, methods, copies
    float2x2 p = { 1, 2, 3, 4 };
    float2x1 sums;
    change(p, sums);
    each(p);
    each(sums);
    Frame f;
    f.basis = Table[1];
    f.origin = 1;
    f.scale(s);
    put(f.apply(float3(1, 2, 3)));
    // 86: intrinsics by component
    each(clamp(abs(p), 1.5, 3.5));
    each(lerp(p, -p, 0.25));
    each(saturate(p * 0.25));
    each(asfloat(asuint(p)));
    each(select(p < 0, p, float2x2(7, 7, 7, 7)));
    float2x2 whole;
    each(modf(p * 0.75, whole));
    each(whole);
    each(s > 1 ? p : -p);
    // Integers and truth values.
    int2x2 i = { 7, -8, 9, 10 };
    each((i << 1) ^ 3);
    each(-i % 4);
    each(sign(i));
    each(int2x2(p));
    put(int(any(i > 9)));
    put(int(all(i > 9)));
    bool2x2 t = i > 0;
    t[0][1] = !t[0][0];
    each((int2x2)!t);
    put(int(t[uint(s) - 1][0]));
    each(mul(i, i));
}
