// Functions of the program with the names of intrinsics that the runtime uses itself, to find the grid of a workgroup.

RWStructuredBuffer<uint> Sum;

struct Job { uint id; uint grid : SV_DispatchGrid; };

// The intrinsic would count lanes.
uint WaveActiveCountBits(bool value) { return value ? 100u : 7u; }

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(1, 1, 1)]
void Start([MaxRecords(3)] NodeOutput<Job> Work)
{
    ThreadNodeOutputRecords<Job> jobs = Work.GetThreadNodeOutputRecords(3);
    for (uint i = 0; i < 3; i++)
    {
        jobs.Get(i).id = i;
        jobs.Get(i).grid = i + 1;
    }
    jobs.OutputComplete();
}

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeMaxDispatchGrid(3, 1, 1)]
[NumThreads(1, 1, 1)]
void Work(DispatchNodeInputRecord<Job> job)
{
    // One workgroup with 7, two with 100, three with 7.
    InterlockedAdd(Sum[0], WaveActiveCountBits(job.Get().id == 1));
    // With 1, 2 and 4.
    InterlockedAdd(Sum[1], WavePrefixCountBits(true) + (1u << job.Get().id));
}
