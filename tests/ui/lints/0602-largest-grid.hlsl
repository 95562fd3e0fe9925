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
