// Dispatch grids from records: from a thread and from a whole group, with one, two and three components, and empty ones.
// Two nodes read one queue, and one of them has a fixed grid.

RWStructuredBuffer<uint> Result : register(u0);

struct Job
{
    uint id;
    uint2 grid : SV_DispatchGrid;
};

struct Wide
{
    uint3 grid : SV_DispatchGrid;
    uint id;
};

struct Entry
{
    uint id;
};

// Record `id` requests id % 4 by id % 3 groups; none if one of them is 0.
[Shader("node")]
[NodeLaunch("thread")]
[NodeIsProgramEntry]
void Scatter(ThreadNodeInputRecord<Entry> input, [MaxRecords(1)] NodeOutput<Job> Work, [MaxRecords(1)] NodeOutput<Entry> Gather)
{
    uint id = input.Get().id;
    ThreadNodeOutputRecords<Job> job = Work.GetThreadNodeOutputRecords(1);
    job.Get().id = id;
    job.Get().grid = uint2(id % 4, id % 3);
    job.OutputComplete();
    ThreadNodeOutputRecords<Entry> one = Gather.GetThreadNodeOutputRecords(1);
    one.Get().id = id;
    one.OutputComplete();
}

// Counts the groups and sums up x + 10 y over them, in the first thread of each.
[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeMaxDispatchGrid(4, 3, 1)]
[NumThreads(4, 1, 1)]
void Work(DispatchNodeInputRecord<Job> input, uint3 group : SV_GroupID, uint thread : SV_GroupIndex, uint3 at : SV_DispatchThreadID)
{
    if (thread == 0)
    {
        InterlockedAdd(Result[0], 1);
        InterlockedAdd(Result[1], group.x + 10 * group.y);
        InterlockedAdd(Result[2], input.Get().id);
    }
    InterlockedAdd(Result[3], at.x);
}

// Also receives every job, regardless of its grid.
[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeShareInputOf("Work")]
[NodeDispatchGrid(2, 1, 1)]
[NumThreads(1, 1, 1)]
void Watch(DispatchNodeInputRecord<Job> input, uint3 group : SV_GroupID)
{
    InterlockedAdd(Result[4], input.Get().id + 1000 * group.x);
}

// Eight threads fill the records of their group together: thread t makes the grid of record t.
[Shader("node")]
[NodeLaunch("coalescing")]
[NumThreads(8, 1, 1)]
void Gather([MaxRecords(8)] GroupNodeInputRecords<Entry> input, uint thread : SV_GroupIndex, [MaxRecords(8)] NodeOutput<Wide> Deep)
{
    GroupNodeOutputRecords<Wide> made = Deep.GetGroupNodeOutputRecords(input.Count());
    if (thread < input.Count())
    {
        uint id = input.Get(thread).id;
        made.Get(thread).id = id;
        made.Get(thread).grid = uint3(1 + id % 2, 1 + id % 3, id % 5);
    }
    made.OutputComplete();
}

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeMaxDispatchGrid(2, 3, 4)]
[NumThreads(1, 1, 1)]
void Deep(DispatchNodeInputRecord<Wide> input, uint3 group : SV_GroupID)
{
    InterlockedAdd(Result[5], 1);
    InterlockedAdd(Result[6], group.x + 10 * group.y + 100 * group.z);
    InterlockedAdd(Result[7], input.Get().id);
}
