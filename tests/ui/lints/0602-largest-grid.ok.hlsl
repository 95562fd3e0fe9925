//! hints
struct R { uint3 grid : SV_DispatchGrid; };

[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(16, 65534, 1)] [NumThreads(32, 1, 1)]
void tiles(DispatchNodeInputRecord<R> input) { }

// It is the real grid, not a bound.
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(65535, 1, 1)] [NumThreads(32, 1, 1)]
void all() { }

// Roughly within the grids that producers write.
cbuffer Choice { uint chosen; uint other; }
struct Sent { uint3 grid : SV_DispatchGrid; uint number; };

[Shader("node")] [NodeLaunch("thread")]
void sends([MaxRecords(1)] NodeOutput<Sent> few)
{
    ThreadNodeOutputRecords<Sent> record = few.GetThreadNodeOutputRecords(1);
    record.Get().number = 7;
    if (chosen == 9)
        record.Get().grid = uint3(other == 3 ? 3 : 1, 2, 1);
    else
        record.Get().grid = uint3(2, 4, 1);
    record.OutputComplete();
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(47, 4, 1)] [NumThreads(32, 1, 1)]
void few(DispatchNodeInputRecord<Sent> input) { uint n = input.Get().number; }

struct Row { uint grid : SV_DispatchGrid; };

[Shader("node")] [NodeLaunch("thread")]
void counts([MaxRecords(1)] NodeOutput<Row> rows)
{
    ThreadNodeOutputRecords<Row> record = rows.GetThreadNodeOutputRecords(1);
    uint n = 1;
    if (other > 64)
        n = 2;
    record.Get().grid = n;
    record.OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")]
void counts_more(ThreadNodeInputRecord<Row> input, [MaxRecords(1)] NodeOutput<Row> open)
{
    ThreadNodeOutputRecords<Row> record = open.GetThreadNodeOutputRecords(1);
    uint n = other;
    if (other > 64)
        n = 2;
    record.Get().grid = n;
    record.OutputComplete();
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(31, 1, 1)] [NumThreads(32, 1, 1)]
void rows(DispatchNodeInputRecord<Row> input) { uint n = input.Get().grid; }

// Nobody knows the other values that are written.
[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(4096, 1, 1)] [NumThreads(32, 1, 1)]
void open(DispatchNodeInputRecord<Row> input) { uint n = input.Get().grid; }
