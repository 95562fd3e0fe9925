// Clustered geometry: a hierarchy of clusters is walked until their error is small on the screen. A rasterizer in integers
// draws their triangles into a visibility buffer of 64-bit words. A second dispatch shades the visible ones.
//
//   Instances -> Visit (recursive) -> Rasterize ; Resolve

#include "geometry.hlsli"
#include "../common/random.hlsli"

#define SCREEN      128
#define ROOTS       8
#define MAX_DEPTH   3

[[vk::constant_id(3)]] const int ErrorLimit = 3;   // in subpixels

struct InstanceData
{
    int2 center;
    int radius;
    int depth;
    float3 tint;
};

StructuredBuffer<InstanceData> Scene : register(t1);
RWStructuredBuffer<uint64_t> Visibility : register(u2);
AppendStructuredBuffer<uint2> Drawn : register(u3);
RWStructuredBuffer<uint> Culled : register(u4);
RWTexture2D<float4> Picture : register(u6);

struct InstanceRecord
{
    uint instance;
};

struct VisitRecord
{
    uint16_t instance;
    uint16_t cluster;
};

struct RasterRecord
{
    uint instance;
    uint cluster;
};

// ------------------------------------------------------------------------------------------------------------ traversal

[Shader("node")]
[NodeLaunch("thread")]
[NodeIsProgramEntry]
void Instances(
    ThreadNodeInputRecord<InstanceRecord> input,
    [MaxRecords(ROOTS)] [NodeID("Visit")] NodeOutput<VisitRecord> roots)
{
    const InstanceData data = Scene[input.Get().instance];
    const bool onScreen = all(data.center + data.radius >= 0) && all(data.center - data.radius < SCREEN);
    ThreadNodeOutputRecords<VisitRecord> records = roots.GetThreadNodeOutputRecords(onScreen ? ROOTS : 0);
    for (uint i = 0; onScreen && i < ROOTS; ++i)
    {
        records[i].instance = uint16_t(input.Get().instance);
        records[i].cluster = uint16_t(i);
    }
    records.OutputComplete();
}

[Shader("node")]
[NodeLaunch("thread")]
[NodeMaxRecursionDepth(MAX_DEPTH)]
void Visit(
    ThreadNodeInputRecord<VisitRecord> input,
    [MaxRecords(CLUSTER_CHILDREN)] [NodeID("Visit")] NodeOutput<VisitRecord> finer,
    [MaxRecords(1)] NodeOutput<RasterRecord> Rasterize)
{
    const uint instance = input.Get().instance;
    const uint index = input.Get().cluster;
    const Cluster cluster = LoadCluster(index);

    // Everything beyond the middle of the ball is hidden by its front.
    const bool hidden = cluster.nearest <= 0;
    const int error = (int(cluster.error) * Scene[instance].radius) >> (UNIT_BITS - SUBPIXEL_BITS);
    const bool refine = !hidden && error > ErrorLimit && cluster.childCount != 0 && GetRemainingRecursionLevels() != 0;
    const bool draw = !hidden && !refine;
    if (hidden)
        InterlockedAdd(Culled[cluster.level], 1);

    ThreadNodeOutputRecords<VisitRecord> children =
        finer.GetThreadNodeOutputRecords(refine ? min(uint(cluster.childCount), CLUSTER_CHILDREN) : 0);
    if (refine)
    {
        for (uint i = 0; i < cluster.childCount; ++i)
        {
            VisitRecord child;
            child.instance = uint16_t(instance);
            child.cluster = uint16_t(cluster.firstChild + i);
            children[i] = child;
        }
    }
    children.OutputComplete();

    ThreadNodeOutputRecords<RasterRecord> raster = Rasterize.GetThreadNodeOutputRecords(draw);
    if (draw)
    {
        raster.Get().instance = instance;
        raster.Get().cluster = index;
        Drawn.Append(uint2(instance, index));
    }
    raster.OutputComplete();
}

// ------------------------------------------------------------------------------------------------------------ rasterizer

int3 ToScreen(int16_t4 corner, InstanceData data)
{
    const int2 offset = (int2(corner.xy) * data.radius) >> (UNIT_BITS - SUBPIXEL_BITS);
    const int depth = data.depth + ((int(corner.z) * data.radius) >> UNIT_BITS);
    return int3((data.center << SUBPIXEL_BITS) + offset, depth);
}

int Edge(int2 a, int2 b, int2 p)
{
    return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

groupshared Cluster g_cluster;
groupshared InstanceData g_instance;

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(CLUSTER_TRIANGLES, 1, 1)]
void Rasterize(DispatchNodeInputRecord<RasterRecord> input, uint thread : SV_GroupIndex)
{
    const RasterRecord record = input.Get();
    if (thread == 0)
        g_cluster = LoadCluster(record.cluster);
    else if (thread == 1)
        g_instance = Scene[record.instance];
    Barrier(GROUP_SHARED_MEMORY, GROUP_SYNC | GROUP_SCOPE);

    const Triangle tri = LoadTriangle(g_cluster, thread);
    int3 corners[3];
    [unroll]
    for (uint i = 0; i < 3; ++i)
        corners[i] = ToScreen(tri.corners[i], g_instance);

    const int area = Edge(corners[0].xy, corners[1].xy, corners[2].xy);
    if (area <= 0)
        return;

    static const int c_pixel = 1 << SUBPIXEL_BITS;
    const int2 low = max(min(min(corners[0].xy, corners[1].xy), corners[2].xy) >> SUBPIXEL_BITS, 0);
    const int2 high = min(max(max(corners[0].xy, corners[1].xy), corners[2].xy) >> SUBPIXEL_BITS, SCREEN - 1);
    for (int y = low.y; y <= high.y; ++y)
    {
        for (int x = low.x; x <= high.x; ++x)
        {
            const int2 p = int2(x, y) * c_pixel + c_pixel / 2;
            const int3 w = int3(Edge(corners[1].xy, corners[2].xy, p), Edge(corners[2].xy, corners[0].xy, p),
                                Edge(corners[0].xy, corners[1].xy, p));
            if (any(w < 0))
                continue;
            const int64_t sum = int64_t(w.x) * corners[0].z + int64_t(w.y) * corners[1].z + int64_t(w.z) * corners[2].z;
            const uint depth = uint(sum / area);
            InterlockedMax(Visibility[y * SCREEN + x], Visible::Pack(depth, record.instance, record.cluster, thread).bits);
        }
    }
}

// ------------------------------------------------------------------------------------------------------------ shading

struct ResolveRecord
{
    uint16_t2 tiles : SV_DispatchGrid;
    float16_t2 light;
};

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeIsProgramEntry]
[NodeMaxDispatchGrid(SCREEN / 8, SCREEN / 8, 1)]
[NumThreads(8, 8, 1)]
void Resolve(DispatchNodeInputRecord<ResolveRecord> input, uint3 at : SV_DispatchThreadID)
{
    Visible seen;
    seen.bits = Visibility[at.y * SCREEN + at.x];
    float3 color = lerp(float3(0.05f, 0.06f, 0.10f), float3(0.16f, 0.14f, 0.22f), float(at.y) / (SCREEN - 1));
    if (!seen.IsNothing())
    {
        const Triangle tri = LoadTriangle(LoadCluster(seen.ClusterIndex()), seen.TriangleIndex());
        float brightness = 0;
        float3 middle = 0;
        for (uint i = 0; i < 3; ++i)
        {
            brightness += float(tri.corners[i].w) / (3 * 255.0f);
            middle += float3(tri.corners[i].xyz);
        }
        const float3 light = normalize(float3(float2(input.Get().light), 1.0f));
        const float diffuse = saturate(dot(normalize(middle), light));
        // Every cluster a little different.
        const float vary = 0.8f + 0.2f * float(Hash(seen.ClusterIndex()) & 0xff) / 255.0f;
        color = Scene[seen.Instance()].tint * brightness * vary * (0.15f + 0.85f * diffuse);
    }
    Picture[at.xy] = float4(color, 1);
}
