// The one element of a 1x1 matrix spreads like a scalar, in all places of a scalar.

StructuredBuffer<float> In : register(t1);
RWStructuredBuffer<float> Out : register(u0);

struct S { float a; int2 b; };

float4 Same(float4 x) { return x; }

[Shader("node")]
[NodeLaunch("thread")]
void Start()
{
    float1x1 o = In[0];         // 3
    int1x1 i = int(In[1]);      // 5
    bool1x1 t = In[2] < 0;      // true

    float3 v = o;
    Out[0] = v.x + 10 * v.y + 100 * v.z;
    float2x3 m = o;
    Out[1] = m._11 + m._12 + m._13 + m._21 + m._22 + m._23;
    float a[3] = (float[3])o;
    Out[2] = a[0] + a[2];
    S s = (S)i;
    Out[3] = s.a + 10 * s.b.x + 100 * s.b.y;
    float3 d = float3(6, 9, 12) / o;
    Out[4] = d.x + 10 * d.y + 100 * d.z;
    float3 e = float3(1, 2, 3);
    e *= i;
    Out[5] = e.x + 10 * e.y + 100 * e.z;
    float2 n = min(float2(1, 7), o);
    Out[6] = n.x + 10 * n.y;
    float3 l = lerp(float3(0, 0, 0), float3(2, 4, 6), o);
    Out[7] = l.x + l.y + l.z;
    float3 q = In[2] < 0 ? float3(1, 2, 3) * o : o;
    Out[8] = q.x + 10 * q.y + 100 * q.z;
    uint2 u = (uint2)t;
    Out[9] = u.x + 10 * u.y;
    float1x1 back = (float1x1)(v * 2);
    Out[10] = back;
    float4 g = Same(i);
    Out[11] = g.x + 10 * g.y + 100 * g.z + 1000 * g.w;
    float2x2 w = { o, i, o, i };
    Out[12] = w._11 + 10 * w._12 + 100 * w._21 + 1000 * w._22;
    bool2 b = o;
    Out[13] = b.x && b.y ? 1 : 0;
    int1x1 k = o;
    k += i;
    Out[14] = k;
    float2 c = select(t, float2(1, 2), o);
    Out[15] = c.x + 10 * c.y;
    float2x1 r = o;
    Out[16] = r._11 + 10 * r._21;
    float3 z = select(bool3(true, false, true), i, o);
    Out[17] = z.x + 10 * z.y + 100 * z.z;
}
