//! hints
struct R { uint3 grid : SV_DispatchGrid; };

[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(16, 65535, 1)] [NumThreads(32, 1, 1)]
void tiles(DispatchNodeInputRecord<R> input) { } //~ HINT WG0602

cbuffer Choice { uint chosen; uint other; }
struct Sent { uint3 grid : SV_DispatchGrid; uint number; };

[Shader("node")] [NodeLaunch("thread")]
void sends([MaxRecords(1)] NodeOutput<Sent> few)
{
    ThreadNodeOutputRecords<Sent> record = few.GetThreadNodeOutputRecords(1);
    record.Get().number = 7;
    if (chosen == 9)
        record.Get().grid = other > 4 ? uint3(3, 2, 1) : uint3(1, 3, 1);
    else
        record.Get().grid = uint3(2, 4, 1);
    record.OutputComplete();
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(6000, 4, 1)] [NumThreads(32, 1, 1)]
void few(DispatchNodeInputRecord<Sent> input) { uint n = input.Get().number; } //~ HINT WG0602

// Through a local variable.
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

[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(32, 1, 1)] [NumThreads(32, 1, 1)]
void rows(DispatchNodeInputRecord<Row> input) { uint n = input.Get().grid; } //~ HINT WG0602
