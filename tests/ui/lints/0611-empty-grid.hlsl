//! hints
struct R { uint tag; uint3 grid : SV_DispatchGrid; };

[Shader("node")] [NodeLaunch("thread")]
void root(ThreadNodeInputRecord<R> input, [MaxRecords(3)] NodeOutput<R> tiles)
{
    ThreadNodeOutputRecords<R> records = tiles.GetThreadNodeOutputRecords(3);
    records[2].grid = input.Get().tag == 0 ? uint3(0, 1, 1) : uint3(4, 1, 1); //~ HINT WG0611
    records[0].grid = uint3(4, 0, 1); //~ HINT WG0611
    records[1].grid = uint3(4, 4, 1);
    records[1].grid.y = 0; //~ HINT WG0611
    records.OutputComplete();
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(8, 8, 1)] [NumThreads(32, 1, 1)]
void tiles(DispatchNodeInputRecord<R> input) { uint tag = input.Get().tag; }
