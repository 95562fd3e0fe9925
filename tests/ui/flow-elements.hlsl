// Values that differ between the threads of a group, in arrays, matrices and ray queries.
struct Pair { uint y[2]; float f; };

cbuffer Settings { uint m; };
RaytracingAccelerationStructure Scene;
static uint Kept[2];
static const uint Table[4] = { 1, 3, 5, 7 };

void fill(out uint y[2], uint t) { y[0] = 5; y[1] = t; }

#define NODE(NAME) [Shader("node")] [NodeLaunch("coalescing")] [NumThreads(64, 1, 1)] \
    void NAME(uint t : SV_GroupIndex, [MaxRecords(2)] [NodeID("sink")] EmptyNodeOutput B)

NODE(array)
{
    uint y[2];
    y[0] = 5;
    y[1] = t;
    if (y[1] == 3)
        B.GroupIncrementOutputCount(1); //~ WARN WG0345
}

NODE(anyElement)
{
    uint y[2] = { 5, 5 };
    y[1] = t;
    if (y[m] == 3)
        B.GroupIncrementOutputCount(1); //~ WARN WG0345
}

NODE(written)
{
    uint y[2] = { 5, 5 };
    y[t & 1] = 7;
    if (y[0] == 7)
        B.GroupIncrementOutputCount(1); //~ WARN WG0345
}

NODE(kept)
{
    Kept[1] = t;
    if (Kept[1] == 3)
        B.GroupIncrementOutputCount(1); //~ WARN WG0345
}

NODE(member)
{
    Pair p;
    p.y[1] = t;
    p.f = 1;
    if (p.y[1] == 3)
        B.GroupIncrementOutputCount(1); //~ WARN WG0345
}

NODE(filled)
{
    uint y[2];
    fill(y, t);
    if (y[1] == 3)
        B.GroupIncrementOutputCount(1); //~ WARN WG0345
}

NODE(onOneWay)
{
    uint y[2] = { 0, 0 };
    if (t == 0)
        y[0] = 7;
    if (y[0] == 7)
        B.GroupIncrementOutputCount(1); //~ WARN WG0345
}

NODE(large)
{
    uint y[100];
    for (uint k = 0; k < 100; ++k)
        y[k] = t;
    if (y[3] == 7)
        B.GroupIncrementOutputCount(1); //~ WARN WG0345
}

NODE(matrixElement)
{
    float2x2 s = 0;
    s[1][0] = t;
    if (s[1][0] == 1)
        B.GroupIncrementOutputCount(1); //~ WARN WG0345
}

NODE(matrixRow)
{
    column_major float2x3 s = 0;
    s._m12 = t;
    float3 row = s[m];
    if (row.z == 1)
        B.GroupIncrementOutputCount(1); //~ WARN WG0345
}

NODE(query)
{
    RayDesc ray = { float3(t, 0, 0), 0, float3(0, 0, 1), 10 };
    RayQuery<RAY_FLAG_NONE> q;
    q.TraceRayInline(Scene, 0, 255, ray);
    q.Proceed();
    if (q.CommittedStatus() == COMMITTED_TRIANGLE_HIT)
        B.GroupIncrementOutputCount(1); //~ WARN WG0345
}

NODE(queryOfSome)
{
    RayDesc ray = { float3(0, 0, 0), 0, float3(0, 0, 1), 10 };
    RayQuery<RAY_FLAG_NONE> q;
    if (t < 3)
        q.TraceRayInline(Scene, 0, 255, ray);
    while (q.Proceed())
        B.GroupIncrementOutputCount(0); //~ WARN WG0345
}

// ---- near misses

NODE(otherElement)
{
    uint y[2];
    fill(y, t);
    if (y[0] == m)
        B.GroupIncrementOutputCount(1);
    Kept[0] = y[0];
    Kept[1] = y[1];
    if (Kept[0] == 3)
        B.GroupIncrementOutputCount(1);
}

NODE(sameForAll)
{
    uint y[3];
    for (uint k = 0; k < 3; ++k)
        y[k] = k * m;
    if (y[2] == 3 && Table[m] > 3)
        B.GroupIncrementOutputCount(1);
    y[m % 3] = t;
    y = (uint[3])0;
    if (y[1] == m)
        B.GroupIncrementOutputCount(1);
}

NODE(members)
{
    Pair p[2];
    p[0].f = t;
    p[1].f = m;
    p[0].y[0] = 1;
    p[1].y[0] = m;
    if (p[m & 1].y[0] == 3 && p[1].f == 2)
        B.GroupIncrementOutputCount(1);
}

NODE(otherRow)
{
    float2x2 s = 0;
    s[1] = float2(m, t);
    if (s[0][1] == 1 || s._m10 == 2 || (s * 2)._m00 == 3)
        B.GroupIncrementOutputCount(1);
}

NODE(sameQuery)
{
    RayDesc ray = { float3(0, 0, m), 0, float3(0, 0, 1), 10 };
    RayQuery<RAY_FLAG_NONE> q;
    q.TraceRayInline(Scene, 0, 255, ray);
    while (q.Proceed())
        q.CommitNonOpaqueTriangleHit();
    if (q.CommittedStatus() == COMMITTED_TRIANGLE_HIT)
        B.GroupIncrementOutputCount(1);
}

NODE(queryAgain)
{
    RayDesc ray = { float3(t, 0, 0), 0, float3(0, 0, 1), 10 };
    RayQuery<RAY_FLAG_NONE> q;
    q.TraceRayInline(Scene, 0, 255, ray);
    q.Proceed();
    ray.Origin = 0;
    q.TraceRayInline(Scene, 0, 255, ray);
    q.Proceed();
    if (q.CommittedStatus() == COMMITTED_TRIANGLE_HIT)
        B.GroupIncrementOutputCount(1);
}

[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(64, 1, 1)]
void sink([MaxRecords(8)] EmptyNodeInput i) { }
