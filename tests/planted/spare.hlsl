// Grids in records. Only the first has as many workgroups as its maximum of 65: a workgroup beyond it writes where
// there is no buffer.

struct Entry { uint grid; };
struct Job { uint grid : SV_DispatchGrid; };

RWStructuredBuffer<uint> Out : register(u0);

[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry]
void Start(ThreadNodeInputRecord<Entry> input, [MaxRecords(1)] NodeOutput<Job> Work)
{
    ThreadNodeOutputRecords<Job> job = Work.GetThreadNodeOutputRecords(1);
    job.Get().grid = input.Get().grid;
    job.OutputComplete();
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(65, 1, 1)] [NumThreads(1, 1, 1)]
void Work(DispatchNodeInputRecord<Job> input, uint3 group : SV_GroupID)
{
    InterlockedAdd(Out[group.x < 65 ? 0 : 1 << 20], 1);
}
