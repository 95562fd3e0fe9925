//! hints
struct R { uint tag; uint3 grid : SV_DispatchGrid; };

[Shader("node")] [NodeLaunch("thread")]
void root(ThreadNodeInputRecord<R> input, [MaxRecords(2)] NodeOutput<R> tiles)
{
    ThreadNodeOutputRecords<R> records = tiles.GetThreadNodeOutputRecords(2);
    records[0].tag = 0; // no part of the grid
    records[0].grid = uint3(4, 1, 1);
    records[1].grid = input.Get().grid; // nobody knows
    uint rows = 0;
    if (input.Get().tag == 3)
        rows = 3;
    else
        rows = 2;
    records[1].grid = uint3(input.Get().tag == 0 ? 2 : 4, rows, 1); // none of them is 0
    records.OutputComplete();
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(8, 8, 1)] [NumThreads(32, 1, 1)]
void tiles(DispatchNodeInputRecord<R> input) { uint tag = input.Get().tag; }
