// Exactly the maximum, for two nodes with different maxima.
struct R { uint3 grid : SV_DispatchGrid; };
RWStructuredBuffer<uint> few : register(u0);

[Shader("node")] [NodeLaunch("thread")]
void first([MaxRecords(1)] NodeOutput<R> tiles, [MaxRecords(1)] NodeOutput<R> more)
{
    ThreadNodeOutputRecords<R> record = tiles.GetThreadNodeOutputRecords(1);
    record.Get().grid = uint3(few[1], 4, 1);
    record.OutputComplete();
    ThreadNodeOutputRecords<R> other = more.GetThreadNodeOutputRecords(1);
    other.Get().grid = uint3(few[1], 5, 1);
    other.OutputComplete();
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(64, 4, 1)] [NumThreads(32, 1, 1)]
void tiles(DispatchNodeInputRecord<R> input) { uint3 grid = input.Get().grid; }

[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(64, 5, 1)] [NumThreads(32, 1, 1)]
void more(DispatchNodeInputRecord<R> input) { uint3 grid = input.Get().grid; }
