// Explicit casts between matrices and structures or arrays: the elements of a matrix count row by row, regardless of their
// order in memory.

struct Xform { float4 r0, r1, r2; };
struct Instance { float3x4 m; uint id; };
struct Raw { float v[13]; };
struct Two { float2x3 p; float2 q; };

StructuredBuffer<Xform> X : register(t2);
RWStructuredBuffer<Instance> I : register(u1);
RWStructuredBuffer<float> Out : register(u0);

[Shader("node")]
[NodeLaunch("thread")]
void Start()
{
    float3x4 m = (float3x4)X[0];        // 1 to 12
    Out[0] = m[1][2];
    float a[12] = (float[12])m;
    Out[1] = a[6];
    Instance instance;
    instance.m = m;
    instance.id = 99;
    I[0] = instance;
    Raw r = (Raw)I[0];
    Out[2] = r.v[6];
    Out[3] = r.v[12];
    Out[4] = r.v[4];
    Instance back = (Instance)r;
    Out[5] = back.m[2][3];
    Out[6] = back.id;
    float2x2 square = (float2x2)a;
    Out[7] = square[1][0];
    Two two = (Two)m;
    Out[8] = 10 * two.p[1][0] + two.q.y;
    int pair[2] = (int[2])square;
    Out[9] = pair[1];
}
