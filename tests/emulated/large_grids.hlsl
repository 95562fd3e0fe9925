// Many records with grids of their own: 40,000 records and 59,998 workgroups in the run file.

RWStructuredBuffer<uint> Result : register(u0);

struct Seed
{
    uint first;
};

struct Job
{
    uint id;
    uint3 grid : SV_DispatchGrid;
};

// Four jobs of each seed: for job `id` a grid of id % 3 by 1 + id % 2 by 1.
[Shader("node")]
[NodeLaunch("thread")]
[NodeIsProgramEntry]
void Split(ThreadNodeInputRecord<Seed> input, [MaxRecords(4)] NodeOutput<Job> Work)
{
    ThreadNodeOutputRecords<Job> made = Work.GetThreadNodeOutputRecords(4);
    for (uint i = 0; i < 4; i++)
    {
        uint id = input.Get().first + i;
        made.Get(i).id = id;
        made.Get(i).grid = uint3(id % 3, 1 + id % 2, 1);
    }
    made.OutputComplete();
}

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeMaxDispatchGrid(2, 2, 1)]
[NumThreads(1, 1, 1)]
void Work(DispatchNodeInputRecord<Job> input, uint3 group : SV_GroupID)
{
    InterlockedAdd(Result[0], 1);
    InterlockedAdd(Result[1], input.Get().id);
    InterlockedAdd(Result[2], input.Get().id * (group.x + 2 * group.y));
}
