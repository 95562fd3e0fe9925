//! hints
struct R { uint3 grid : SV_DispatchGrid; uint tile; };
struct Two { uint2 grid : SV_DispatchGrid; };
struct Part { uint2 grid : SV_DispatchGrid; uint pad; };
cbuffer Sizes { uint wide; }

// Two grids.
[Shader("node")] [NodeLaunch("thread")]
void first([MaxRecords(1)] NodeOutput<R> tiles)
{
    ThreadNodeOutputRecords<R> record = tiles.GetThreadNodeOutputRecords(1);
    record.Get().grid = uint3(4, 4, 1);
    record.Get().tile = 7;
    record.OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")]
void second([MaxRecords(1)] NodeOutput<R> tiles)
{
    ThreadNodeOutputRecords<R> record = tiles.GetThreadNodeOutputRecords(1);
    record.Get().grid = uint3(4, 2, 1);
    record.Get().tile = 8;
    record.OutputComplete();
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(4, 4, 1)] [NumThreads(32, 1, 1)]
void tiles(DispatchNodeInputRecord<R> input) { uint t = input.Get().tile; }

// Grids that the program does not fully know.
[Shader("node")] [NodeLaunch("thread")]
void third([MaxRecords(1)] NodeOutput<Two> open, [MaxRecords(1)] NodeOutput<Part> partly)
{
    ThreadNodeOutputRecords<Two> record = open.GetThreadNodeOutputRecords(1);
    record.Get().grid = uint2(4, wide);
    record.OutputComplete();
    ThreadNodeOutputRecords<Part> some = partly.GetThreadNodeOutputRecords(1);
    some.Get().grid.x = 4;
    some.OutputComplete();
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(4, 4, 1)] [NumThreads(32, 1, 1)]
void open(DispatchNodeInputRecord<Two> input) { }

[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(4, 4, 1)] [NumThreads(32, 1, 1)]
void partly(DispatchNodeInputRecord<Part> input) { }

// A host may ask for others.
[Shader("node")] [NodeLaunch("thread")]
void fourth([MaxRecords(1)] [NodeID("entry")] NodeOutput<Two> to)
{
    ThreadNodeOutputRecords<Two> record = to.GetThreadNodeOutputRecords(1);
    record.Get().grid = uint2(4, 4);
    record.OutputComplete();
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeIsProgramEntry] [NodeMaxDispatchGrid(4, 4, 1)] [NumThreads(32, 1, 1)]
void entry(DispatchNodeInputRecord<Two> input) { }
