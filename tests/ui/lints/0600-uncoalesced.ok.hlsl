//! hints
struct R { uint value; };
RWStructuredBuffer<uint> sum : register(u0);

[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(32, 1, 1)]
void two([MaxRecords(2)] GroupNodeInputRecords<R> batch, uint lane : SV_GroupIndex)
{
    if (lane < batch.Count())
        InterlockedAdd(sum[0], batch[lane].value);
}

[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(32, 1, 1)]
void empty([MaxRecords(2)] EmptyNodeInput batch)
{
    InterlockedAdd(sum[0], batch.Count());
}

[Shader("node")] [NodeLaunch("thread")]
void single(ThreadNodeInputRecord<R> input)
{
    InterlockedAdd(sum[0], input.Get().value);
}

[[vk::constant_id(0)]] const uint Gathered = 1;

[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(32, 1, 1)]
void open([MaxRecords(Gathered)] EmptyNodeInput batch)
{
    InterlockedAdd(sum[0], batch.Count());
}

// A group of one grid, as it is.
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(32, 1, 1)]
void nothing()
{
    InterlockedAdd(sum[0], 1);
}
