// Ray queries in static variables: of a file, of a function, in an array, and in a structure next to other members.

struct Tracer
{
    RayQuery<RAY_FLAG_FORCE_OPAQUE> query;
    uint hits;
    float nearest[2];
};

RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<uint> Out : register(u1);

static RayQuery<RAY_FLAG_FORCE_OPAQUE> Single;
static RayQuery<RAY_FLAG_NONE> Pair[2];
static Tracer Tracers;

RayDesc down(float x)
{
    RayDesc ray = { float3(x, 0.25, -5), 0, float3(0, 0, 1), 100 };
    return ray;
}

// A parameter is another name for the query.
void finish(RayQuery<RAY_FLAG_FORCE_OPAQUE> query) { query.Proceed(); }

void take(inout RayQuery<RAY_FLAG_NONE> query)
{
    while (query.Proceed())
        query.CommitNonOpaqueTriangleHit();
}

uint status(uint i)
{
    take(Pair[i]);
    return Pair[i].CommittedStatus();
}

// The second call continues with the query of the first.
uint resumed(bool first)
{
    static RayQuery<RAY_FLAG_FORCE_OPAQUE> kept;
    if (first)
        kept.TraceRayInline(Scene, RAY_FLAG_NONE, 0xff, down(0.5));
    else
        kept.Proceed();
    return first ? 0 : kept.CommittedStatus();
}

[Shader("node")]
[NodeLaunch("thread")]
void Start()
{
    Single.TraceRayInline(Scene, RAY_FLAG_NONE, 0xff, down(0.25));
    finish(Single);
    Out[0] = Single.CommittedStatus();                    // 1: the first triangle
    Out[1] = uint(Single.CommittedRayT());                // at z = 0, from -5
    for (uint i = 0; i < 2; i++)
        Pair[i].TraceRayInline(Scene, RAY_FLAG_NONE, 0xff, down(0.25 + i * 9));
    Out[2] = status(0) * 10 + status(1);                  // a hit and a miss
    Tracers.query.TraceRayInline(Scene, RAY_FLAG_CULL_OPAQUE, 0xff, down(0.25));
    finish(Tracers.query);
    Tracers.hits += 3 + Tracers.query.CommittedStatus();  // it started as 0, and all triangles are opaque
    Tracers.nearest[1] += 2;
    Out[3] = Tracers.hits * 10 + uint(Tracers.nearest[0] + Tracers.nearest[1]);
    Out[4] = resumed(true) * 10 + resumed(false);
}
