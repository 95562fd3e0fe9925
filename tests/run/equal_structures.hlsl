// Two structures with equal members. An array of one is indexed at run time, and records contain the other: lavapipe created no
// pipeline for values of one type with two names.
RWStructuredBuffer<uint> Out;
struct First { uint n; };
struct Second { uint n; };
static First Table[2];
struct Work { uint k; Second part; };

[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry]
void Start(ThreadNodeInputRecord<Work> input, [MaxRecords(1)] [NodeID("End")] NodeOutput<Work> next)
{
    Work work = input.Get();
    Table[1].n = 5;
    ThreadNodeOutputRecords<Work> record = next.GetThreadNodeOutputRecords(1);
    record.Get().part = work.part;
    record.Get().k = work.k * 10 + Table[work.k % 2].n;
    record.OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")]
void End(ThreadNodeInputRecord<Work> input)
{
    Out[input.Get().part.n] = input.Get().k;
}
