//! hints
struct R { uint3 grid : SV_DispatchGrid; uint tile; };
struct Flat { uint2 grid : SV_DispatchGrid; };
static const uint Side = 4;

void fill(ThreadNodeOutputRecords<R> record)
{
    record.Get().grid.x = Side;
    record.Get().grid.yz = uint2(Side, 1);
}

[Shader("node")] [NodeLaunch("thread")]
void first([MaxRecords(1)] NodeOutput<R> tiles, [MaxRecords(1)] NodeOutput<Flat> flat)
{
    ThreadNodeOutputRecords<R> record = tiles.GetThreadNodeOutputRecords(1);
    fill(record);
    record.Get().tile = 7;
    record.OutputComplete();
    ThreadNodeOutputRecords<Flat> other = flat.GetThreadNodeOutputRecords(1);
    other.Get().grid = 3;
    other.OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")]
void second([MaxRecords(2)] NodeOutput<R> tiles)
{
    ThreadNodeOutputRecords<R> records = tiles.GetThreadNodeOutputRecords(2);
    for (uint i = 0; i < 2; ++i)
    {
        records[i].grid = uint3(2 * 2, Side, 1);
        records[i].tile = i;
    }
    records.OutputComplete();
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(4, 4, 1)] [NumThreads(32, 1, 1)]
void tiles(DispatchNodeInputRecord<R> input) { uint t = input.Get().tile; } //~ HINT WG0606

[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(8, 8, 1)] [NumThreads(32, 1, 1)]
void flat(DispatchNodeInputRecord<Flat> input) { } //~ HINT WG0606
