// Values of ray queries have the enumerations of the language as their types, which are numbers.
RaytracingAccelerationStructure Scene;
RWStructuredBuffer<uint> Out;

static const RAY_FLAG Flags = RAY_FLAG_CULL_OPAQUE | RAY_FLAG_FORCE_NON_OPAQUE;
uint Named(COMMITTED_STATUS status) { return status; }

[Shader("compute")] [NumThreads(1, 1, 1)]
void Main()
{
    RayQuery<Flags> q;
    RayQuery<4> other;
    RayDesc r;
    r.Origin = 0;
    r.TMin = 0;
    r.Direction = float3(0, 1, 0);
    r.TMax = 10;
    RAY_FLAG more = Out[1];
    q.TraceRayInline(Scene, more | RAY_FLAG_SKIP_TRIANGLES, 0xff, r);
    other.TraceRayInline(Scene, more, 0xff, r);
    while (q.Proceed())
    {
        const CANDIDATE_TYPE kind = q.CandidateType();
        switch (kind)
        {
        case CANDIDATE_NON_OPAQUE_TRIANGLE: q.CommitNonOpaqueTriangleHit(); break;
        case CANDIDATE_PROCEDURAL_PRIMITIVE: q.CommitProceduralPrimitiveHit(1); break;
        }
    }
    COMMITTED_STATUS c = q.CommittedStatus();
    Out[0] = c == COMMITTED_NOTHING ? 1 : Named(q.CommittedStatus());
    RAY_FLAG all = q.RayFlags();
    Out[2] = all;
}
