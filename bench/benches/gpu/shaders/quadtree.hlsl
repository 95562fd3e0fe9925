// The Mandelbrot set by quarters: a square whose border has one value is filled with it, and any other splits into four.

#include "quadtree.hlsli"

struct Square { uint2 at; uint size; };
struct Area { uint2 tiles : SV_DispatchGrid; uint2 at; uint value; };
struct Rest { uint2 at; };

[[vk::binding(0)]] RWStructuredBuffer<uint> Out;

[Shader("node")] [NodeLaunch("broadcasting")] [NodeIsProgramEntry] [NodeMaxRecursionDepth(LEVELS - 1)]
[NodeDispatchGrid(1, 1, 1)] [NumThreads(64, 1, 1)]
void Squares(DispatchNodeInputRecord<Square> input, uint thread : SV_GroupIndex,
    [MaxRecords(4)] [NodeID("Squares")] NodeOutput<Square> Quarters, [MaxRecords(1)] NodeOutput<Area> Fill,
    [MaxRecords(1)] NodeOutput<Rest> Pixels)
{
    uint2 at = input.Get().at;
    uint size = input.Get().size;
    uint value = Border(at, size, thread);
    bool same = value != c_mixed, deeper = !same && size > c_least;
    GroupNodeOutputRecords<Square> quarters = Quarters.GetGroupNodeOutputRecords(deeper ? 4 : 0);
    if (deeper && thread < 4)
    {
        quarters.Get(thread).at = at + uint2(thread & 1, thread >> 1) * (size / 2);
        quarters.Get(thread).size = size / 2;
    }
    quarters.OutputComplete();
    GroupNodeOutputRecords<Area> area = Fill.GetGroupNodeOutputRecords(same ? 1 : 0);
    if (same && thread == 0)
    {
        area.Get().tiles = size / 8;
        area.Get().at = at;
        area.Get().value = value;
    }
    area.OutputComplete();
    bool rest = !same && !deeper;
    GroupNodeOutputRecords<Rest> pixels = Pixels.GetGroupNodeOutputRecords(rest ? 1 : 0);
    if (rest && thread == 0)
        pixels.Get().at = at;
    pixels.OutputComplete();
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(16, 16, 1)] [NumThreads(8, 8, 1)]
void Fill(DispatchNodeInputRecord<Area> input, uint3 at : SV_DispatchThreadID)
{
    Out[Place(input.Get().at + at.xy)] = input.Get().value;
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(2, 2, 1)] [NumThreads(8, 8, 1)]
void Pixels(DispatchNodeInputRecord<Rest> input, uint3 at : SV_DispatchThreadID)
{
    uint2 pixel = input.Get().at + at.xy;
    Out[Place(pixel)] = Turns(pixel);
}
