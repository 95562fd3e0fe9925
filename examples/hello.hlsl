// Three nodes, one of each launch mode: sums the squares of the numbers in some ranges.
//
//   wgc run --inputs hello.run.json

RWStructuredBuffer<uint> Result : register(u0); // [0] sum of squares, [1] records collected, [2] largest square

struct Range
{
    uint first;
    uint count; // at most 32
};

struct Number
{
    uint value;
};

// One thread per record: cuts a range in two.
[Shader("node")]
[NodeLaunch("thread")]
[NodeIsProgramEntry]
void Split(
    ThreadNodeInputRecord<Range> input,
    [MaxRecords(2)] NodeOutput<Range> Square)
{
    Range whole = input.Get();
    uint half = (whole.count + 1) / 2;

    ThreadNodeOutputRecords<Range> parts = Square.GetThreadNodeOutputRecords(2);
    parts[0].first = whole.first;
    parts[0].count = half;
    parts[1].first = whole.first + half;
    parts[1].count = whole.count - half;
    parts.OutputComplete();
}

// A grid of workgroups per record: each thread squares one number.
[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(2, 1, 1)]
[NumThreads(8, 1, 1)]
void Square(
    DispatchNodeInputRecord<Range> input,
    uint thread : SV_DispatchThreadID,
    [MaxRecords(8)] NodeOutput<Number> Collect)
{
    bool inside = thread < input.Get().count;
    ThreadNodeOutputRecords<Number> number = Collect.GetThreadNodeOutputRecords(inside ? 1 : 0);
    if (inside)
    {
        uint n = input.Get().first + thread;
        number.Get().value = n * n;
    }
    number.OutputComplete();
}

groupshared uint g_sum;

// Up to 32 records per workgroup, as many as there are.
[Shader("node")]
[NodeLaunch("coalescing")]
[NumThreads(32, 1, 1)]
void Collect(
    [MaxRecords(32)] GroupNodeInputRecords<Number> input,
    uint thread : SV_GroupIndex)
{
    if (thread == 0)
        g_sum = 0;
    GroupMemoryBarrierWithGroupSync();

    if (thread < input.Count())
    {
        InterlockedAdd(g_sum, input[thread].value);
        InterlockedMax(Result[2], input[thread].value);
    }
    GroupMemoryBarrierWithGroupSync();

    if (thread == 0)
    {
        InterlockedAdd(Result[0], g_sum);
        InterlockedAdd(Result[1], input.Count());
    }
}
