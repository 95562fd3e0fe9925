// Culling of a scene tree: transforms are composed on the way down, and subtrees outside of the frustum are dropped. The
// rest is sorted into one list of draws for each level of detail.
//
//   Traverse (recursive) -> SelectLod -> lists

#include "culling.h"
#include "frustum.hlsli"

struct SceneNode
{
    row_major float3x4 local;
    float4 sphere;        // of the subtree, in the node's own space
    uint firstChild;
    uint childCount;
    uint mesh;            // kNoMesh: a group
    uint instance;
};

struct DrawItem
{
    uint instance;
    uint mesh;
};

struct DrawArguments
{
    uint vertexCount;
    uint instanceCount;
    uint firstVertex;
    uint firstInstance;
};

StructuredBuffer<SceneNode> Scene : register(t0);
RWStructuredBuffer<DrawArguments> Arguments : register(u0);     // one per level
RWStructuredBuffer<DrawItem> Draws[kLodCount] : register(u1);   // one list per level
RWStructuredBuffer<float4> WorldSpheres : register(u8);         // by instance, visible ones only
RWByteAddressBuffer Statistics : register(u9);

namespace Stat
{
    static const uint Visited = 0;
    static const uint Outside = 4;
    static const uint TrivialAccepts = 8;
    static const uint TooSmall = 12;

    void Count(uint which, bool condition = true)
    {
        const uint sum = WaveActiveCountBits(condition);
        uint before;
        if (WaveIsFirstLane() && sum != 0)
            Statistics.InterlockedAdd(which, sum, before);
    }
}

struct TraverseRecord
{
    uint node;
    uint planes;
    row_major float3x4 parent;
};

struct InstanceRecord
{
    uint instance;
    uint mesh;
    float4 sphere;
};

// ------------------------------------------------------------------------------------------------------- transforms

float4x4 Extend(float3x4 m)
{
    return float4x4(m[0], m[1], m[2], float4(0, 0, 0, 1));
}

float3x4 Compose(float3x4 parent, float3x4 local)
{
    return (float3x4)mul(Extend(parent), Extend(local));
}

float4 TransformSphere(float3x4 m, float4 sphere)
{
    // Uniform scale: all columns of the linear part have one length.
    const float scale = length(float3(m._m00, m._m10, m._m20));
    return float4(mul(m, float4(sphere.xyz, 1.0f)), sphere.w * scale);
}

// ------------------------------------------------------------------------------------------------------- traversal

// Coalescing rather than thread launch: the records of four children are more than a thread may send.
[Shader("node")]
[NodeLaunch("coalescing")]
[NodeIsProgramEntry]
[NodeMaxRecursionDepth(kMaxDepth)]
[NumThreads(kTraversers, 1, 1)]
void Traverse(
    [MaxRecords(kTraversers)] GroupNodeInputRecords<TraverseRecord> input,
    uint thread : SV_GroupIndex,
    [MaxRecords(kTraversers * kMaxChildren)] [NodeID("Traverse")] NodeOutput<TraverseRecord> children,
    [MaxRecords(kTraversers)] [NodeID("SelectLod")] NodeOutput<InstanceRecord> instances)
{
    const bool live = thread < input.Count();
    const TraverseRecord record = input[live ? thread : 0];
    const SceneNode node = Scene[record.node];
    const float3x4 world = Compose(record.parent, node.local);
    const float4 sphere = TransformSphere(world, node.sphere);

    Frustum frustum = Frustum::FromMatrix(ViewProjection);
    uint planes = record.planes;
    const Containment containment = frustum.Test(sphere, planes);
    const bool visible = live && containment != Containment::Outside;

    Stat::Count(Stat::Visited, live);
    Stat::Count(Stat::Outside, live && !visible);
    Stat::Count(Stat::TrivialAccepts, visible && record.planes != 0 && containment == Containment::Inside);

    const bool descend = visible && GetRemainingRecursionLevels() > 0;
    const uint childCount = descend ? min(node.childCount, kMaxChildren) : 0;
    ThreadNodeOutputRecords<TraverseRecord> down = children.GetThreadNodeOutputRecords(childCount);
    for (uint i = 0; i < childCount; ++i)
    {
        down[i].node = node.firstChild + i;
        down[i].planes = planes;
        down[i].parent = world;
    }
    down.OutputComplete();

    const bool draws = visible && node.mesh != kNoMesh;
    ThreadNodeOutputRecords<InstanceRecord> found = instances.GetThreadNodeOutputRecords(draws ? 1 : 0);
    if (draws)
    {
        InstanceRecord r = { node.instance, node.mesh, sphere };
        found.Get() = r;
    }
    found.OutputComplete();
}

// ------------------------------------------------------------------------------------------------------- levels

uint LodOf(float4 sphere)
{
    const float pixels = LodScale * sphere.w / max(distance(Eye, sphere.xyz), 1e-3f);
    const bool4 below = pixels < LodPixels;
    return dot(uint4(below), 1u);     // the thresholds fall
}

// One atomic per wave: the lanes that append find their places by counting those before them.
uint Append(uint lod, bool wanted)
{
    const uint count = WaveActiveCountBits(wanted);
    uint base = 0;
    if (WaveIsFirstLane())
        InterlockedAdd(Arguments[lod].instanceCount, count, base);
    return WaveReadLaneFirst(base) + WavePrefixCountBits(wanted);
}

[Shader("node")]
[NodeLaunch("coalescing")]
[NumThreads(kCoalesced, 1, 1)]
void SelectLod(
    [MaxRecords(kCoalesced)] GroupNodeInputRecords<InstanceRecord> input,
    uint thread : SV_GroupThreadID)
{
    const bool live = thread < input.Count();
    InstanceRecord record = (InstanceRecord)0;
    uint lod = kLodCount;
    if (live)
    {
        record = input[thread];
        lod = LodOf(record.sphere);
        WorldSpheres[record.instance] = record.sphere;
    }
    Stat::Count(Stat::TooSmall, live && lod == kLodCount);

    for (uint level = 0; level < kLodCount; ++level)
    {
        const uint place = Append(level, lod == level);
        if (lod == level)
        {
            DrawItem item = { record.instance, record.mesh };
            Draws[level][place] = item;
        }
    }
}
