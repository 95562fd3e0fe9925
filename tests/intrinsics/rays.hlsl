// Every thread traces the ray of one case. It writes the results of the query for each candidate, at the place of the
// primitive, and for the hit at the end. The expected values are in rays.rs.

[[vk::binding(0, 0)]] RaytracingAccelerationStructure Scene;
[[vk::binding(1, 0)]] ByteAddressBuffer Cases;
[[vk::binding(2, 0)]] RWByteAddressBuffer Out;

struct Case
{
    RayDesc ray;
    uint flags;
    uint mask;
    uint accept;                                            // commit what can be
    uint abort;                                             // stop at the first candidate
};

static const uint HIT = 4 * 66;                             // bytes of a hit
static const uint CASE = 32 + 21 * HIT;

void put(inout uint at, uint v) { Out.Store(at, v); at += 4; }
void put(inout uint at, float v) { Out.Store(at, asuint(v)); at += 4; }
void put(inout uint at, float2 v) { put(at, v.x); put(at, v.y); }
void put(inout uint at, float3 v) { put(at, v.xy); put(at, v.z); }
void put(inout uint at, float3x4 m) { [unroll] for (uint r = 0; r < 3; r++) { put(at, m[r].xyz); put(at, m[r].w); } }
void put(inout uint at, float4x3 m) { [unroll] for (uint r = 0; r < 4; r++) put(at, m[r]); }

void candidate(inout RayQuery<RAY_FLAG_NONE> query, uint at)
{
    Out.Store(at, Out.Load(at) + 1);
    bool triangle = query.CandidateType() == CANDIDATE_NON_OPAQUE_TRIANGLE;
    at += 4;
    put(at, query.CandidateType());
    put(at, query.CandidateInstanceIndex());
    put(at, query.CandidateInstanceID());
    put(at, query.CandidateInstanceContributionToHitGroupIndex());
    put(at, query.CandidateGeometryIndex());
    put(at, query.CandidatePrimitiveIndex());
    put(at, query.CandidateObjectRayOrigin());
    put(at, query.CandidateObjectRayDirection());
    put(at, query.CandidateObjectToWorld3x4());
    put(at, query.CandidateObjectToWorld4x3());
    put(at, query.CandidateWorldToObject3x4());
    put(at, query.CandidateWorldToObject4x3());
    if (triangle)
    {
        put(at, query.CandidateTriangleRayT());
        put(at, query.CandidateTriangleFrontFace() ? 1u : 0u);
        put(at, query.CandidateTriangleBarycentrics());
    }
    else
        put(at, query.CandidateProceduralPrimitiveNonOpaque() ? 1u : 0u);
}

void committed(inout RayQuery<RAY_FLAG_NONE> query, uint at)
{
    uint status = query.CommittedStatus();
    put(at, status);
    if (status == COMMITTED_NOTHING)
        return;
    put(at, status);
    put(at, query.CommittedInstanceIndex());
    put(at, query.CommittedInstanceID());
    put(at, query.CommittedInstanceContributionToHitGroupIndex());
    put(at, query.CommittedGeometryIndex());
    put(at, query.CommittedPrimitiveIndex());
    put(at, query.CommittedObjectRayOrigin());
    put(at, query.CommittedObjectRayDirection());
    put(at, query.CommittedObjectToWorld3x4());
    put(at, query.CommittedObjectToWorld4x3());
    put(at, query.CommittedWorldToObject3x4());
    put(at, query.CommittedWorldToObject4x3());
    put(at, query.CommittedRayT());
    if (status == COMMITTED_TRIANGLE_HIT)
    {
        put(at, query.CommittedTriangleFrontFace() ? 1u : 0u);
        put(at, query.CommittedTriangleBarycentrics());
    }
}

// Finds the point where the ray enters the sphere inside the candidate's box; the boxes are those of rays.rs.
bool sphere(inout RayQuery<RAY_FLAG_NONE> query, out float t)
{
    float3 centre = query.CandidateGeometryIndex() == 1 ? float3(0, 3, 0) : float3(3 * query.CandidatePrimitiveIndex(), 0, 0);
    float3 origin = query.CandidateObjectRayOrigin() - centre, direction = query.CandidateObjectRayDirection();
    float a = dot(direction, direction), b = dot(origin, direction), c = dot(origin, origin) - 0.25;
    float root = b * b - a * c;
    t = (-b - sqrt(max(root, 0))) / a;
    return root >= 0;
}

[numthreads(64, 1, 1)]
void main(uint index : SV_DispatchThreadID)
{
    uint count;
    Cases.GetDimensions(count);
    if (index >= count / 48)
        return;
    Case c = Cases.Load<Case>(index * 48);
    RayQuery<RAY_FLAG_NONE> query;
    query.TraceRayInline(Scene, c.flags, c.mask, c.ray);
    uint at = index * CASE;
    while (query.Proceed())
    {
        uint place = query.CandidateInstanceIndex() * 4 + query.CandidateGeometryIndex() * 2 + query.CandidatePrimitiveIndex();
        candidate(query, index * CASE + 32 + HIT * (1 + place));
        if (c.abort)
            query.Abort();
        else if (c.accept && query.CandidateType() == CANDIDATE_NON_OPAQUE_TRIANGLE)
            query.CommitNonOpaqueTriangleHit();
        else if (c.accept)
        {
            float t;
            float least = query.RayTMin();
            float greatest = query.CommittedStatus() == COMMITTED_NOTHING ? c.ray.TMax : query.CommittedRayT();
            if (sphere(query, t) && t >= least && t <= greatest)
                query.CommitProceduralPrimitiveHit(t);
        }
    }
    put(at, query.RayFlags());
    put(at, query.RayTMin());
    put(at, query.WorldRayOrigin());
    put(at, query.WorldRayDirection());
    committed(query, at);
}
