// A city from a grammar: districts are split by roads until they are lots. Each lot gets a random rule, and the rules
// stamp boxes into a map of heights. A second dispatch draws the map.
//
//   District (recursive) -> Lot[House | Tower (recursive) | - | Park -> PlantTrees] -> Stamp, Measure
//            |-> Tally[4]
//   Draw

#include "grammar.hlsli"

using namespace Grammar;

#define CITY_SIZE      128
#define DISTRICT_DEPTH 9   // times that a district may be divided
#define TOWER_DEPTH    2
#define LOT_LIMIT      12u
#define PARK_LOTS      4
#define TREES          3

typedef Work<TowerPayload> LotRecord;

struct Box
{
    uint2 groups : SV_DispatchGrid;
    uint2 lower;
    uint2 extent;
    uint height;
    Finish finish;
};

[[vk::binding(0, 2)]] RWTexture2D<uint> HeightMap;          // height << 8 | finish: the highest stays
[[vk::binding(1, 2)]] RWTexture2D<float4> Picture;
[[vk::binding(2, 2)]] RWStructuredBuffer<uint> LotsOfRule;
[[vk::binding(3, 2)]] RWStructuredBuffer<uint64_t> Volume;  // boxes, and their volume

Box MakeBox(Shape shape, uint height, Finish finish)
{
    Box box;
    box.groups = (shape.extent + 7) / 8;
    box.lower = shape.lower;
    box.extent = shape.extent;
    box.height = height;
    box.finish = finish;
    return box;
}

// ------------------------------------------------------------------------------------------------------ the plan

[Shader("node")]
[NodeLaunch("thread")]
[NodeIsProgramEntry]
[NodeMaxRecursionDepth(DISTRICT_DEPTH)]
void District(
    ThreadNodeInputRecord<Shape> input,
    [MaxRecords(2)] [NodeID("District")] NodeOutput<Shape> parts,
    [MaxRecords(1)] [NodeID("Lot")] [NodeArraySize(RuleCount)] [AllowSparseNodes] NodeOutputArray<LotRecord> lots,
    [MaxRecords(1)] [NodeID("Tally")] [NodeArraySize(RuleCount)] EmptyNodeOutputArray tally)
{
    const Shape shape = input.Get();
    RandomStream random = RandomStream::FromSeed(shape.seed);
    const uint axis = shape.LongAxis();
    const uint length = shape.extent[axis];
    const bool divides = length > LOT_LIMIT && GetRemainingRecursionLevels() != 0;
    const uint road = length > 40 ? 3 : 1;

    ThreadNodeOutputRecords<Shape> halves = parts.GetThreadNodeOutputRecords(divides ? 2 : 0);
    if (divides)
    {
        Shape low, high;
        shape.Split(axis, length / 3 + random.Below(length / 3), road, low, high);
        halves.Get(0) = low;
        halves.Get(1) = high;
    }
    halves.OutputComplete();

    const Rule rule = Choose(random);
    const bool built = !divides && lots[(uint)rule].IsValid() && all(shape.extent >= 4);
    ThreadNodeOutputRecords<LotRecord> lot = lots[(uint)rule].GetThreadNodeOutputRecords(built ? 1 : 0);
    if (built)
    {
        lot.Get().shape = shape.Inset(1);
        lot.Get().shape.seed = random.Next();
        lot.Get().payload.base = 0;
    }
    lot.OutputComplete();
    tally[(uint)rule].ThreadIncrementOutputCount(divides ? 0 : 1);
}

#define TALLY(index)                                                            \
    [Shader("node")]                                                            \
    [NodeLaunch("coalescing")]                                                  \
    [NodeID("Tally", index)]                                                    \
    [NumThreads(1, 1, 1)]                                                       \
    void Tally##index([MaxRecords(16)] EmptyNodeInput lots)                     \
    {                                                                           \
        InterlockedAdd(LotsOfRule[index], lots.Count());                        \
    }

TALLY(0)
TALLY(1)
TALLY(2)
TALLY(3)

// ------------------------------------------------------------------------------------------------------ the rules

[Shader("node")]
[NodeLaunch("thread")]
[NodeID("Lot", 0)]
void House(ThreadNodeInputRecord<LotRecord> input, [MaxRecords(2)] NodeOutput<Box> Stamp)
{
    const Shape shape = input.Get().shape;
    const uint walls = 3 + shape.seed % 4;
    const bool gabled = all(shape.extent > 4);
    ThreadNodeOutputRecords<Box> boxes = Stamp.GetThreadNodeOutputRecords(gabled ? 2 : 1);
    boxes[0] = MakeBox(shape, walls, Finish::Brick);
    if (gabled)
        boxes[1] = MakeBox(shape.Inset(1), walls + 2, Finish::Roof);
    boxes.OutputComplete();
}

// A tower is a box with a smaller tower on it.
[Shader("node")]
[NodeLaunch("thread")]
[NodeID("Lot", 1)]
[NodeMaxRecursionDepth(TOWER_DEPTH)]
void Tower(
    ThreadNodeInputRecord<LotRecord> input,
    [MaxRecords(1)] [NodeID("Lot", 1)] NodeOutput<LotRecord> upper,
    [MaxRecords(1)] NodeOutput<Box> Stamp)
{
    LotRecord work = input.Get();
    const uint top = work.payload.base + 8 + work.shape.seed % 12;
    ThreadNodeOutputRecords<Box> box = Stamp.GetThreadNodeOutputRecords(1);
    box.Get() = MakeBox(work.shape, top, Finish::Glass);
    box.OutputComplete();

    const bool rises = all(work.shape.extent > 3) && GetRemainingRecursionLevels() > 0;
    ThreadNodeOutputRecords<LotRecord> next = upper.GetThreadNodeOutputRecords(rises);
    if (rises)
    {
        work.shape = work.shape.Inset(1);
        work.shape.seed = Hash(work.shape.seed);
        work.payload.base = top;
        next.Get() = work;
    }
    next.OutputComplete();
}

// All nodes of an array have one launch mode, so the trees, of several parks together, are a separate node.
[Shader("node")]
[NodeLaunch("thread")]
[NodeID("Lot", (uint)Rule::Park)]
void Park(ThreadNodeInputRecord<LotRecord> input, [MaxRecords(1)] NodeOutput<LotRecord> PlantTrees)
{
    ThreadNodeOutputRecords<LotRecord> park = PlantTrees.GetThreadNodeOutputRecords(1);
    park.Get() = input.Get();
    park.OutputComplete();
}

[Shader("node")]
[NodeLaunch("coalescing")]
[NumThreads(TREES, PARK_LOTS, 1)]
void PlantTrees(
    [MaxRecords(PARK_LOTS)] GroupNodeInputRecords<LotRecord> input,
    uint2 thread : SV_GroupThreadID,
    [MaxRecords(PARK_LOTS * TREES)] NodeOutput<Box> Stamp)
{
    const uint trees = input.Count() * TREES;
    GroupNodeOutputRecords<Box> boxes = Stamp.GetGroupNodeOutputRecords(trees);
    if (thread.y < input.Count())
    {
        Shape tree = input.Get(thread.y).shape;
        RandomStream random = RandomStream::FromSeed(Hash(tree.seed, thread.x));
        tree.lower.x += random.Below(tree.extent.x - 1);
        tree.lower.y += random.Below(tree.extent.y - 1);
        tree.extent = uint2(2, 2);
        boxes[thread.y * TREES + thread.x] = MakeBox(tree, 2 + random.Below(3), Finish::Tree);
    }
    boxes.OutputComplete();
}

// ------------------------------------------------------------------------------------------------------ the map

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeMaxDispatchGrid(2, 2, 1)]
[NumThreads(8, 8, 1)]
void Stamp(DispatchNodeInputRecord<Box> input, uint2 offset : SV_DispatchThreadID)
{
    const Box box = input.Get();
    if (any(offset >= box.extent))
        return;
    uint before;
    InterlockedMax(HeightMap[box.lower + offset], (box.height << 8) | (uint)box.finish, before);
}

// Shares the records of Stamp.
[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeShareInputOf("Stamp")]
[NodeMaxDispatchGrid(2, 2, 1)]
[NumThreads(1, 1, 1)]
void Measure(DispatchNodeInputRecord<Box> input, uint2 group : SV_GroupID)
{
    if (any(group != 0))
        return;
    InterlockedAdd(Volume[0], uint64_t(1));
    InterlockedAdd(Volume[1], uint64_t(input.Get().extent.x * input.Get().extent.y) * input.Get().height);
}

// ------------------------------------------------------------------------------------------------------ the picture

static const float3 c_finishes[] =
{
    float3(0.42, 0.43, 0.45),
    float3(0.62, 0.35, 0.28),
    float3(0.50, 0.22, 0.18),
    float3(0.45, 0.60, 0.72),
    float3(0.20, 0.42, 0.18),
};

struct DrawRecord
{
    uint3 tiles : SV_DispatchGrid;
    int2 light; // a step towards the light on the map
};

uint HeightAt(int2 at)
{
    return all(at >= 0) && all(at < CITY_SIZE) ? HeightMap[at] >> 8 : 0;
}

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeIsProgramEntry]
[NodeMaxDispatchGrid(CITY_SIZE / 8, CITY_SIZE / 8, 1)]
[NumThreads(8, 8, 1)]
void Draw(DispatchNodeInputRecord<DrawRecord> input, uint3 thread : SV_DispatchThreadID)
{
    const int2 at = thread.xy;
    const uint value = HeightMap[at];
    const uint height = value >> 8;
    // A shadow falls where the map rises above the ray to the light, by 2 a step.
    bool lit = true;
    for (int step = 1; step < 24 && lit; ++step)
        lit = HeightAt(at + step * input.Get().light) <= height + 2 * step;
    const float shade = (lit ? 1.0 : 0.55) * (0.7 + 0.3 * min(height, 48u) / 48.0);
    Picture[at] = float4(c_finishes[value & 0xff] * shade, 1);
}
