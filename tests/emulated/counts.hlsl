// Entries without records, each sent several times, and push constants of the program next to those of the target.

RWStructuredBuffer<uint> Result : register(u0);

struct Settings
{
    uint scale;
    uint2 offset;
};

[[vk::push_constant]] Settings settings;

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeIsProgramEntry]
[NodeDispatchGrid(3, 2, 1)]
[NumThreads(2, 1, 1)]
void Grid(uint3 at : SV_DispatchThreadID, [MaxRecords(2)] EmptyNodeOutput Collect)
{
    InterlockedAdd(Result[0], at.x * settings.scale + at.y);
    Collect.ThreadIncrementOutputCount(at.y);
}

[Shader("node")]
[NodeLaunch("coalescing")]
[NodeIsProgramEntry]
[NumThreads(1, 1, 1)]
void Collect([MaxRecords(7)] EmptyNodeInput input)
{
    InterlockedAdd(Result[1], input.Count());
    InterlockedAdd(Result[2], settings.offset.y);
}
