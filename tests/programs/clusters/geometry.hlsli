// Geometry as it lies in memory: clusters, then their triangles, in one buffer of bytes.
#ifndef CLUSTERS_GEOMETRY_HLSLI
#define CLUSTERS_GEOMETRY_HLSLI

#define CLUSTER_TRIANGLES 16
#define CLUSTER_CHILDREN  4
#define UNIT_BITS         14    // positions are in 1 / 2^14 of the radius
#define SUBPIXEL_BITS     4

ByteAddressBuffer Geometry : register(t0);

struct Cluster
{
    uint triangles;             // byte offset
    uint firstChild;
    uint16_t childCount;
    uint16_t error;             // in units of positions
    int16_t nearest;            // the largest z of a vertex
    int16_t level;
};

struct Triangle
{
    int16_t4 corners[3];        // w: brightness of the vertex
};

Cluster LoadCluster(uint index)
{
    return Geometry.Load<Cluster>(index * sizeof(Cluster));
}

Triangle LoadTriangle(Cluster cluster, uint index)
{
    return Geometry.Load<Triangle>(cluster.triangles + index * sizeof(Triangle));
}

// Contents of a pixel of the visibility buffer: depth in the upper half, the visible triangle in the lower half.
struct Visible
{
    uint64_t bits;

    static Visible Pack(uint depth, uint instance, uint cluster, uint tri)
    {
        Visible v;
        v.bits = (uint64_t(depth) << 32) | (instance << 24) | (cluster << 8) | tri;
        return v;
    }

    bool IsNothing() { return bits == 0; }
    uint Instance() { return (uint(bits) >> 24) & 0xff; }
    uint ClusterIndex() { return (uint(bits) >> 8) & 0xffff; }
    uint TriangleIndex() { return uint(bits) & 0xff; }
};

#endif
