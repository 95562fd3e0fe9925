// A bounding volume hierarchy from scratch: Morton codes are sorted by radix, and their common prefixes give the hierarchy
// (Karras 2012). Boxes are fitted from the leaves up, and queries find the primitives that overlap a box.
//
//   Sort -> Build (the last group goes on) -> Refit, Cost ; Query (coalescing)

#define GROUP_THREADS 256
#define BUILD_THREADS 64
#define MAX_LEAVES    256
#define QUERY_THREADS 16
#define STACK         32

#include "wave_scan.hlsli"

struct Aabb
{
    int3 low;
    int3 high;

    void Grow(Aabb other)
    {
        low = min(low, other.low);
        high = max(high, other.high);
    }

    bool Overlaps(Aabb other) { return all(low <= other.high) && all(other.low <= high); }

    double HalfArea()
    {
        const vector<double, 3> size = vector<double, 3>(high - low);
        return size.x * size.y + size.y * size.z + size.z * size.x;
    }
};

// Nodes 0..n-2 are inner ones, and n-1..2n-2 are the leaves in sorted order.
struct TreeNode
{
    uint left;
    uint right;
    uint parent;
    uint primitive;
};

static const uint c_none = 0xffffffffu;

StructuredBuffer<Aabb> Primitives : register(t0, space0);
globallycoherent RWStructuredBuffer<uint2> Sorted : register(u0, space0);       // code, primitive
globallycoherent RWStructuredBuffer<TreeNode> Tree : register(u1, space0);
globallycoherent RWStructuredBuffer<Aabb> Boxes : register(u2, space0);
globallycoherent RWByteAddressBuffer Visits : register(u3, space0);
RWStructuredBuffer<double> Cost : register(u4, space0);
RWStructuredBuffer<uint2> Hits : register(u5, space0);                          // by query: how many, sum of primitives

struct BuildRequest
{
    uint count;
};

struct [NodeTrackRWInputSharing] BuildRecord
{
    uint groups : SV_DispatchGrid;
    uint count;
};

struct RefitRecord
{
    uint groups : SV_DispatchGrid;
    uint count;
};

// ------------------------------------------------------------------------------------------------------------- codes

// Two zeros before each of ten bits.
uint Spread(uint v)
{
    v = (v | (v << 16)) & 0x030000ff;
    v = (v | (v << 8)) & 0x0300f00f;
    v = (v | (v << 4)) & 0x030c30c3;
    v = (v | (v << 2)) & 0x09249249;
    return v;
}

uint MortonCode(uint3 cell)
{
    return (Spread(cell.x) << 2) | (Spread(cell.y) << 1) | Spread(cell.z);
}

uint MortonCode(Aabb box)
{
    return MortonCode(uint3(clamp((box.low + box.high) / 2, 0, 1023)));
}

// ------------------------------------------------------------------------------------------------------------- sorting

groupshared uint2 g_items[MAX_LEAVES];

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeIsProgramEntry]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(GROUP_THREADS, 1, 1)]
void Sort(
    DispatchNodeInputRecord<BuildRequest> input,
    uint thread : SV_GroupIndex,
    [MaxRecords(1)] NodeOutput<BuildRecord> Build)
{
    const uint count = min(input.Get().count, MAX_LEAVES);
    uint2 item = uint2(0xffffffffu, thread);
    if (thread < count)
        item.x = MortonCode(Primitives[thread]);

    // One bit at a time: those with a zero come first, and neither half changes its order. Twice two bits are unrolled
    // so that the loop shows the pattern of wider digits.
    for (uint shift = 0; shift < 32; shift += 2)
    {
        [unroll]
        for (uint digit = 0; digit < 2; ++digit)
        {
            const uint bit = (item.x >> (shift + digit)) & 1u;
            const ScanResult zeros = GroupScan(1u - bit, thread);
            const uint place = bit != 0 ? zeros.total + thread - zeros.before : zeros.before;
            g_items[place] = item;
            GroupMemoryBarrierWithGroupSync();
            item = g_items[thread];
            GroupMemoryBarrierWithGroupSync();
        }
    }

    if (thread < count)
        Sorted[thread] = item;
    Barrier(UAV_MEMORY, DEVICE_SCOPE | GROUP_SYNC);

    GroupNodeOutputRecords<BuildRecord> build = Build.GetGroupNodeOutputRecords(1);
    if (thread == 0)
    {
        build.Get().groups = (count + BUILD_THREADS - 1) / BUILD_THREADS;
        build.Get().count = count;
    }
    build.OutputComplete();
}

// ------------------------------------------------------------------------------------------------------------- building

// Length of the common prefix of two keys; equal codes go on with their places. -1 outside of the list.
int CommonPrefix(int a, int b, int count)
{
    if (b < 0 || b >= count)
        return -1;
    const uint difference = Sorted[a].x ^ Sorted[b].x;
    return difference != 0 ? 31 - int(firstbithigh(difference)) : 63 - int(firstbithigh(uint(a ^ b)));
}

struct KeyRange
{
    int first, last, split;
};

KeyRange RangeOf(int i, int count)
{
    const int d = CommonPrefix(i, i + 1, count) > CommonPrefix(i, i - 1, count) ? 1 : -1;
    const int least = CommonPrefix(i, i - d, count);

    int bound = 2;
    while (CommonPrefix(i, i + bound * d, count) > least)
        bound *= 2;
    int length = 0;
    for (int step = bound / 2; step >= 1; step /= 2)
    {
        if (CommonPrefix(i, i + (length + step) * d, count) > least)
            length += step;
    }
    const int j = i + length * d;

    const int node = CommonPrefix(i, j, count);
    int split = 0;
    int stride = length;
    do
    {
        stride = (stride + 1) >> 1;
        if (CommonPrefix(i, i + (split + stride) * d, count) > node)
            split += stride;
    } while (stride > 1);

    KeyRange range = { min(i, j), max(i, j), i + split * d + min(d, 0) };
    return range;
}

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeMaxDispatchGrid(MAX_LEAVES / BUILD_THREADS, 1, 1)]
[NumThreads(BUILD_THREADS, 1, 1)]
void Build(
    RWDispatchNodeInputRecord<BuildRecord> input,
    uint i : SV_DispatchThreadID,
    uint thread : SV_GroupIndex,
    [MaxRecords(1)] NodeOutput<RefitRecord> Refit)
{
    const uint count = input.Get().count;
    const uint leaves = count - 1;   // index of the first
    if (i < count)
    {
        Tree[leaves + i].left = c_none;
        Tree[leaves + i].right = c_none;
        Tree[leaves + i].primitive = Sorted[i].y;
        if (i == 0)
            Tree[0].parent = c_none;
    }
    if (i < leaves)
    {
        const KeyRange range = RangeOf(int(i), int(count));
        const uint left = range.split == range.first ? leaves + range.split : range.split;
        const uint right = range.split + 1 == range.last ? leaves + range.split + 1 : range.split + 1;
        Tree[i].left = left;
        Tree[i].right = right;
        Tree[i].primitive = c_none;
        Tree[left].parent = i;
        Tree[right].parent = i;
    }

    Barrier(UAV_MEMORY, DEVICE_SCOPE | GROUP_SYNC);
    const bool last = input.FinishedCrossGroupSharing();
    GroupNodeOutputRecords<RefitRecord> refit = Refit.GetGroupNodeOutputRecords(last ? 1 : 0);
    if (last && thread == 0)
    {
        refit.Get().groups = input.Get().groups;
        refit.Get().count = count;
    }
    refit.OutputComplete();
}

// ------------------------------------------------------------------------------------------------------------- fitting

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeMaxDispatchGrid(MAX_LEAVES / BUILD_THREADS, 1, 1)]
[NumThreads(BUILD_THREADS, 1, 1)]
void Refit(
    DispatchNodeInputRecord<RefitRecord> input,
    uint i : SV_DispatchThreadID,
    [MaxRecords(BUILD_THREADS)] EmptyNodeOutput SumCost)
{
    const uint count = input.Get().count;
    bool reachedRoot = false;
    if (i < count)
    {
        uint node = count - 1 + i;
        Boxes[node] = Primitives[Tree[node].primitive];
        Barrier(UAV_MEMORY, DEVICE_SCOPE);
        // The second child to arrive at a node continues with it: then both boxes are there.
        for (node = Tree[node].parent; node != c_none; node = Tree[node].parent)
        {
            uint visitors;
            Visits.InterlockedAdd(node * 4, 1, visitors);
            if (visitors == 0)
                break;
            Barrier(UAV_MEMORY, DEVICE_SCOPE);
            Aabb box = Boxes[Tree[node].left];
            box.Grow(Boxes[Tree[node].right]);
            Boxes[node] = box;
            Barrier(UAV_MEMORY, DEVICE_SCOPE);
            reachedRoot = node == 0;
        }
    }
    SumCost.ThreadIncrementOutputCount(reachedRoot ? 1 : 0);
}

// The expected cost of a ray: areas of inner nodes in terms of the root's. One thread, so that the sum has an order.
[Shader("node")]
[NodeLaunch("thread")]
void SumCost()
{
    uint nodes, stride;
    Tree.GetDimensions(nodes, stride);
    double sum = 0.0L;
    uint inner = 0;
    for (uint i = 0; i < nodes; ++i)
    {
        if (Tree[i].left != c_none)
        {
            sum += Boxes[i].HalfArea();
            ++inner;
        }
    }
    Cost[0] = sum / Boxes[0].HalfArea();
    Cost[1] = double(inner);
}

// ------------------------------------------------------------------------------------------------------------- queries

struct QueryRecord
{
    Aabb box;
    uint slot;
};

[Shader("node")]
[NodeLaunch("coalescing")]
[NodeIsProgramEntry]
[NumThreads(QUERY_THREADS, 1, 1)]
void Query(
    [MaxRecords(QUERY_THREADS)] GroupNodeInputRecords<QueryRecord> input,
    uint thread : SV_GroupThreadID)
{
    if (thread >= input.Count())
        return;
    const Aabb box = input[thread].box;
    uint stack[STACK];
    uint depth = 0;
    stack[depth++] = 0;
    uint2 found = 0;
    while (depth > 0)
    {
        const uint node = stack[--depth];
        if (!Boxes[node].Overlaps(box))
            continue;
        const TreeNode n = Tree[node];
        if (n.left == c_none)
        {
            found += uint2(1, n.primitive);
        }
        else if (depth + 2 <= STACK)
        {
            stack[depth++] = n.left;
            stack[depth++] = n.right;
        }
    }
    Hits[input[thread].slot] = found;
}
