// More workgroups than one axis of a dispatch takes, more records than a page holds, one record sent many times.

RWStructuredBuffer<uint> Result : register(u0);

struct Point
{
    uint x;
    uint y;
    uint z;
};

struct Field
{
    uint3 origin;
    uint2 grid : SV_DispatchGrid;
};

[Shader("node")]
[NodeLaunch("thread")]
[NodeIsProgramEntry]
void Grow(ThreadNodeInputRecord<Point> input, [MaxRecords(3)] NodeOutput<Point> Sum)
{
    uint count = 1 + input.Get().x % 3;
    ThreadNodeOutputRecords<Point> made = Sum.GetThreadNodeOutputRecords(count);
    for (uint i = 0; i < count; i++)
    {
        made.Get(i).x = input.Get().x;
        made.Get(i).y = i;
        made.Get(i).z = 1;
    }
    made.OutputComplete();
}

[Shader("node")]
[NodeLaunch("coalescing")]
[NumThreads(16, 1, 1)]
void Sum([MaxRecords(16)] GroupNodeInputRecords<Point> input, uint thread : SV_GroupIndex)
{
    if (thread < input.Count())
    {
        InterlockedAdd(Result[0], input.Get(thread).x);
        InterlockedAdd(Result[1], input.Get(thread).y);
        InterlockedAdd(Result[2], input.Get(thread).z);
    }
}

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeIsProgramEntry]
[NodeMaxDispatchGrid(400, 300, 1)]
[NumThreads(1, 1, 1)]
void Plain(DispatchNodeInputRecord<Field> input, uint3 group : SV_GroupID)
{
    InterlockedAdd(Result[3], 1);
    InterlockedAdd(Result[4], group.x ^ (group.y << 4));
    InterlockedAdd(Result[5], input.Get().origin.z);
}

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeIsProgramEntry]
[NodeDispatchGrid(35000, 1, 2)]
[NumThreads(1, 1, 1)]
void Fixed(DispatchNodeInputRecord<Point> input, uint3 group : SV_GroupID)
{
    InterlockedAdd(Result[6], 1 + group.z);
    InterlockedAdd(Result[7], group.x & input.Get().x);
}
