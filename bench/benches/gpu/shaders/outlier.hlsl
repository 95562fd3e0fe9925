// Each record has its own grid: most have one workgroup, one has many.

struct Entry { uint id; };
struct Job { uint2 grid : SV_DispatchGrid; uint id; };
[[vk::binding(0)]] RWStructuredBuffer<uint> Out;

#include "outlier.hlsli"

[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry]
void Start(ThreadNodeInputRecord<Entry> input, [MaxRecords(1)] NodeOutput<Job> Work)
{
    ThreadNodeOutputRecords<Job> job = Work.GetThreadNodeOutputRecords(1);
    job.Get().id = input.Get().id;
    job.Get().grid = Grid(input.Get().id);
    job.OutputComplete();
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(64, 1024, 1)] [NumThreads(64, 1, 1)]
void Work(DispatchNodeInputRecord<Job> input, uint3 group : SV_GroupID, uint thread : SV_GroupIndex)
{
    Add(input.Get().id, group.xy, thread);
}
