// Threads of thread launch that make the calls of groups, for themselves: also in functions that nodes with groups call.
struct Start { uint n; };
struct Work { uint x; };
RWStructuredBuffer<uint> Out;

void send(NodeOutput<Work> to, uint n, uint x)
{
    GroupNodeOutputRecords<Work> records = to.GetGroupNodeOutputRecords(n);
    for (uint i = 0; i < n; ++i)
        records[i].x = x + i;
    records.OutputComplete();
}

[Shader("node")]
[NodeLaunch("thread")]
[NodeIsProgramEntry]
void Alone(ThreadNodeInputRecord<Start> input, [MaxRecords(2)] NodeOutput<Work> Sum, [MaxRecords(3)] EmptyNodeOutput Count)
{
    send(Sum, 2, input.Get().n);
    Count.GroupIncrementOutputCount(3);
}

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(2, 1, 1)]
[NumThreads(4, 1, 1)]
[NodeIsProgramEntry]
void Together(DispatchNodeInputRecord<Start> input, [MaxRecords(1)] NodeOutput<Work> Sum)
{
    send(Sum, 1, input.Get().n);
}

[Shader("node")]
[NodeLaunch("thread")]
void Sum(ThreadNodeInputRecord<Work> input)
{
    InterlockedAdd(Out[0], input.Get().x);
    InterlockedAdd(Out[1], 1);
}

[Shader("node")]
[NodeLaunch("coalescing")]
[NumThreads(1, 1, 1)]
void Count([MaxRecords(4)] EmptyNodeInput input)
{
    InterlockedAdd(Out[2], input.Count());
}
