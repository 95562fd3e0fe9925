// The Sierpinski carpet, drawn by a node that targets itself.
//
//   wgc run --inputs carpet.run.json --out pictures

RWTexture2D<float4> Image : register(u0);

struct Square
{
    uint2 origin;
    uint size; // a power of three
};

struct Hole
{
    uint2 groups : SV_DispatchGrid;
    uint2 origin;
    uint size;
    uint level;
};

// One workgroup per square. Each of its nine threads handles one part: eight parts are squares again, the middle is a hole.
[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(3, 3, 1)]
[NodeIsProgramEntry]
[NodeMaxRecursionDepth(3)]
void Carpet(
    DispatchNodeInputRecord<Square> input,
    uint2 part : SV_GroupThreadID,
    [MaxRecords(8)] [NodeID("Carpet")] NodeOutput<Square> smaller,
    [MaxRecords(1)] NodeOutput<Hole> Fill)
{
    uint third = input.Get().size / 3;
    uint2 origin = input.Get().origin + part * third;
    bool middle = part.x == 1 && part.y == 1;

    // HLSL requires that every thread makes this call. The count decides which threads get a record.
    bool descend = !middle && smaller.IsValid();
    ThreadNodeOutputRecords<Square> square = smaller.GetThreadNodeOutputRecords(descend ? 1 : 0);
    if (descend)
    {
        square.Get().origin = origin;
        square.Get().size = third;
    }
    square.OutputComplete();

    ThreadNodeOutputRecords<Hole> hole = Fill.GetThreadNodeOutputRecords(middle ? 1 : 0);
    if (middle)
    {
        uint groups = (third + 7) / 8;
        hole.Get().groups = uint2(groups, groups);
        hole.Get().origin = origin;
        hole.Get().size = third;
        hole.Get().level = GetRemainingRecursionLevels();
    }
    hole.OutputComplete();
}

static const float3 c_colour[4] = {
    float3(1.0, 0.8, 0.2), float3(0.8, 0.4, 0.2), float3(0.6, 0.2, 0.4), float3(0.2, 0.2, 0.6)
};

// A grid of workgroups per hole, as many as the hole needs.
[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeMaxDispatchGrid(4, 4, 1)]
[NumThreads(8, 8, 1)]
void Fill(
    DispatchNodeInputRecord<Hole> input,
    uint2 pixel : SV_DispatchThreadID)
{
    Hole hole = input.Get();
    if (pixel.x < hole.size && pixel.y < hole.size)
        Image[hole.origin + pixel] = float4(c_colour[hole.level], 1.0);
}
