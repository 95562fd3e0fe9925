//! hints
struct R { uint tag; uint3 grid : SV_DispatchGrid; };

[Shader("node")] [NodeLaunch("thread")]
void root(ThreadNodeInputRecord<R> input, [MaxRecords(2)] NodeOutput<R> tiles)
{
    ThreadNodeOutputRecords<R> records = tiles.GetThreadNodeOutputRecords(2);
    records[0].tag = 0; // no part of the grid
    records[0].grid = uint3(4, 1, 1);
    records[1].grid = input.Get().grid; // nobody knows
    records.OutputComplete();
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(8, 8, 1)] [NumThreads(32, 1, 1)]
void tiles(DispatchNodeInputRecord<R> input) { uint tag = input.Get().tag; }
