// Acceleration structures, and the types and constants of ray tracing that every stage has.

struct [[wgc::builtin("acceleration_structure")]] RaytracingAccelerationStructure
{
};

struct RayDesc
{
    float3 Origin;
    float TMin;
    float3 Direction;
    float TMax;
};

// ---- enumerations of the language: as in DXC, aliases of `uint` and constants of that type

typedef uint RAY_FLAG;
static const uint RAY_FLAG_NONE = 0;
static const uint RAY_FLAG_FORCE_OPAQUE = 0x01;
static const uint RAY_FLAG_FORCE_NON_OPAQUE = 0x02;
static const uint RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH = 0x04;
static const uint RAY_FLAG_SKIP_CLOSEST_HIT_SHADER = 0x08;
static const uint RAY_FLAG_CULL_BACK_FACING_TRIANGLES = 0x10;
static const uint RAY_FLAG_CULL_FRONT_FACING_TRIANGLES = 0x20;
static const uint RAY_FLAG_CULL_OPAQUE = 0x40;
static const uint RAY_FLAG_CULL_NON_OPAQUE = 0x80;
static const uint RAY_FLAG_SKIP_TRIANGLES = 0x100;
static const uint RAY_FLAG_SKIP_PROCEDURAL_PRIMITIVES = 0x200;

typedef uint COMMITTED_STATUS;
static const uint COMMITTED_NOTHING = 0;
static const uint COMMITTED_TRIANGLE_HIT = 1;
static const uint COMMITTED_PROCEDURAL_PRIMITIVE_HIT = 2;

typedef uint CANDIDATE_TYPE;
static const uint CANDIDATE_NON_OPAQUE_TRIANGLE = 0;
static const uint CANDIDATE_PROCEDURAL_PRIMITIVE = 1;

static const uint HIT_KIND_TRIANGLE_FRONT_FACE = 254;
static const uint HIT_KIND_TRIANGLE_BACK_FACE = 255;

// Each `TraceRayInline` adds `FLAGS` to its own flags.
template<uint FLAGS> struct [[wgc::builtin("ray_query")]] RayQuery
{
    [[wgc::op("ray.trace")]] void TraceRayInline(RaytracingAccelerationStructure scene, uint flags, uint mask, RayDesc ray);
    [[wgc::op("ray.proceed")]] bool Proceed();
    [[wgc::op("ray.abort")]] void Abort();
    [[wgc::op("ray.commit_triangle")]] void CommitNonOpaqueTriangleHit();
    [[wgc::op("ray.commit_procedural")]] void CommitProceduralPrimitiveHit(float t);

    [[wgc::op("ray.flags")]] uint RayFlags();
    [[wgc::op("ray.t_min")]] float RayTMin();
    [[wgc::op("ray.world_origin")]] float3 WorldRayOrigin();
    [[wgc::op("ray.world_direction")]] float3 WorldRayDirection();

    [[wgc::op("ray.candidate_kind")]] uint CandidateType();
    [[wgc::op("ray.candidate_non_opaque")]] bool CandidateProceduralPrimitiveNonOpaque();
    [[wgc::op("ray.candidate_t")]] float CandidateTriangleRayT();
    [[wgc::op("ray.candidate_front_face")]] bool CandidateTriangleFrontFace();
    [[wgc::op("ray.candidate_barycentrics")]] float2 CandidateTriangleBarycentrics();
    [[wgc::op("ray.candidate_instance_index")]] uint CandidateInstanceIndex();
    [[wgc::op("ray.candidate_instance_id")]] uint CandidateInstanceID();
    [[wgc::op("ray.candidate_hit_group")]] uint CandidateInstanceContributionToHitGroupIndex();
    [[wgc::op("ray.candidate_geometry_index")]] uint CandidateGeometryIndex();
    [[wgc::op("ray.candidate_primitive_index")]] uint CandidatePrimitiveIndex();
    [[wgc::op("ray.candidate_object_origin")]] float3 CandidateObjectRayOrigin();
    [[wgc::op("ray.candidate_object_direction")]] float3 CandidateObjectRayDirection();
    [[wgc::op("ray.candidate_object_to_world")]] float3x4 CandidateObjectToWorld3x4();
    [[wgc::op("ray.candidate_object_to_world")]] float4x3 CandidateObjectToWorld4x3();
    [[wgc::op("ray.candidate_world_to_object")]] float3x4 CandidateWorldToObject3x4();
    [[wgc::op("ray.candidate_world_to_object")]] float4x3 CandidateWorldToObject4x3();

    [[wgc::op("ray.committed_kind")]] uint CommittedStatus();
    [[wgc::op("ray.committed_t")]] float CommittedRayT();
    [[wgc::op("ray.committed_front_face")]] bool CommittedTriangleFrontFace();
    [[wgc::op("ray.committed_barycentrics")]] float2 CommittedTriangleBarycentrics();
    [[wgc::op("ray.committed_instance_index")]] uint CommittedInstanceIndex();
    [[wgc::op("ray.committed_instance_id")]] uint CommittedInstanceID();
    [[wgc::op("ray.committed_hit_group")]] uint CommittedInstanceContributionToHitGroupIndex();
    [[wgc::op("ray.committed_geometry_index")]] uint CommittedGeometryIndex();
    [[wgc::op("ray.committed_primitive_index")]] uint CommittedPrimitiveIndex();
    [[wgc::op("ray.committed_object_origin")]] float3 CommittedObjectRayOrigin();
    [[wgc::op("ray.committed_object_direction")]] float3 CommittedObjectRayDirection();
    [[wgc::op("ray.committed_object_to_world")]] float3x4 CommittedObjectToWorld3x4();
    [[wgc::op("ray.committed_object_to_world")]] float4x3 CommittedObjectToWorld4x3();
    [[wgc::op("ray.committed_world_to_object")]] float3x4 CommittedWorldToObject3x4();
    [[wgc::op("ray.committed_world_to_object")]] float4x3 CommittedWorldToObject4x3();
};
