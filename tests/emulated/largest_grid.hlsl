// One record with the largest grid that a record may ask for: 2^24 - 1 workgroups.

RWStructuredBuffer<uint> Result : register(u0);

struct Field
{
    uint2 grid : SV_DispatchGrid;
    uint factor;
};

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeIsProgramEntry]
[NodeMaxDispatchGrid(4097, 4095, 1)]
[NumThreads(1, 1, 1)]
void Cover(DispatchNodeInputRecord<Field> input, uint3 group : SV_GroupID)
{
    InterlockedAdd(Result[group.x & 7], group.y * input.Get().factor);
    InterlockedAdd(Result[8 + (group.y & 7)], group.x * group.x * group.y);
}
