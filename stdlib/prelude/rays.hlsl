// Acceleration structures and the words of ray tracing that every stage has.

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

enum RAY_FLAG : uint
{
    RAY_FLAG_NONE = 0,
    RAY_FLAG_FORCE_OPAQUE = 0x01,
    RAY_FLAG_FORCE_NON_OPAQUE = 0x02,
    RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH = 0x04,
    RAY_FLAG_SKIP_CLOSEST_HIT_SHADER = 0x08,
    RAY_FLAG_CULL_BACK_FACING_TRIANGLES = 0x10,
    RAY_FLAG_CULL_FRONT_FACING_TRIANGLES = 0x20,
    RAY_FLAG_CULL_OPAQUE = 0x40,
    RAY_FLAG_CULL_NON_OPAQUE = 0x80,
    RAY_FLAG_SKIP_TRIANGLES = 0x100,
    RAY_FLAG_SKIP_PROCEDURAL_PRIMITIVES = 0x200,
};

enum COMMITTED_STATUS : uint
{
    COMMITTED_NOTHING = 0,
    COMMITTED_TRIANGLE_HIT = 1,
    COMMITTED_PROCEDURAL_PRIMITIVE_HIT = 2,
};

enum CANDIDATE_TYPE : uint
{
    CANDIDATE_NON_OPAQUE_TRIANGLE = 0,
    CANDIDATE_PROCEDURAL_PRIMITIVE = 1,
};

static const uint HIT_KIND_TRIANGLE_FRONT_FACE = 254;
static const uint HIT_KIND_TRIANGLE_BACK_FACE = 255;
