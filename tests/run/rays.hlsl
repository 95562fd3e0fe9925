// Ray queries: every thread traces one ray, and decides on candidates itself. The run file has the expected results.

struct Case
{
    float3 origin;
    float least;
    float3 direction;
    float greatest;
    uint flags;
    uint mask;
    uint accept;
    uint skip;
};

struct Found
{
    uint status;
    float t;
    float2 barycentrics;
    uint id;
    uint index;
    uint group;
    uint geometry;
    uint front;
    float4 row;
    float3 translation;
    float3 origin;
    float3 direction;
};

RaytracingAccelerationStructure Scene[2] : register(t0);
StructuredBuffer<Case> Cases : register(t2);
RWStructuredBuffer<Found> Out : register(u0);

// The unit sphere in the box of a procedural primitive.
bool sphere(float3 origin, float3 direction, out float t)
{
    float a = dot(direction, direction), b = dot(origin, direction), c = dot(origin, origin) - 1;
    float root = b * b - a * c;
    t = (-b - sqrt(max(root, 0))) / a;
    return root >= 0;
}

// A query among other things.
struct Ray
{
    uint traced;
    RayQuery<RAY_FLAG_NONE> query;

    void trace(Case test, RayDesc ray)
    {
        query.TraceRayInline(Scene[1], test.flags, test.mask, ray);
        traced = 1;
    }
};

template<uint F> void search(inout RayQuery<F> query, bool accept)
{
    while (query.Proceed())
    {
        switch (query.CandidateType())
        {
        case CANDIDATE_NON_OPAQUE_TRIANGLE:
            if (accept && query.CandidateTriangleRayT() > query.RayTMin())
                query.CommitNonOpaqueTriangleHit();
            break;
        case CANDIDATE_PROCEDURAL_PRIMITIVE:
            float t;
            if (sphere(query.CandidateObjectRayOrigin(), query.CandidateObjectRayDirection(), t)
                && query.CandidateProceduralPrimitiveNonOpaque())
                query.CommitProceduralPrimitiveHit(t);
            break;
        }
    }
}

template<uint F> Found result(RayQuery<F> query)
{
    Found found = (Found)0;
    found.status = query.CommittedStatus();
    if (found.status == COMMITTED_NOTHING)
        return found;
    found.t = query.CommittedRayT();
    found.id = query.CommittedInstanceID();
    found.index = query.CommittedInstanceIndex();
    found.group = query.CommittedInstanceContributionToHitGroupIndex();
    found.geometry = query.CommittedGeometryIndex();
    found.row = query.CommittedObjectToWorld3x4()[0];
    found.translation = query.CommittedWorldToObject4x3()[3];
    found.origin = query.CommittedObjectRayOrigin();
    found.direction = query.CommittedObjectRayDirection();
    if (found.status == COMMITTED_TRIANGLE_HIT)
    {
        found.barycentrics = query.CommittedTriangleBarycentrics();
        found.front = query.CommittedTriangleFrontFace();
    }
    return found;
}

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(13, 1, 1)]
void trace(uint i : SV_GroupIndex)
{
    Case test = Cases[i];
    RayDesc ray = { test.origin, test.least, test.direction, test.greatest };
    if (test.skip)
    {
        RayQuery<RAY_FLAG_SKIP_PROCEDURAL_PRIMITIVES> query;
        query.TraceRayInline(Scene[1], RAY_FLAG_NONE, test.mask, ray);
        search(query, test.accept);
        Out[i] = result(query);
    }
    else
    {
        Ray own;
        own.trace(test, ray);
        search(own.query, test.accept);
        Out[i] = result(own.query);
    }
}
