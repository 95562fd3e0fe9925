// Every record requests more than the maximum.
struct R { uint3 grid : SV_DispatchGrid; };
RWStructuredBuffer<uint> few : register(u0);

[Shader("node")] [NodeLaunch("thread")]
void first([MaxRecords(1)] NodeOutput<R> tiles) //~ WARN WG0425
{
    ThreadNodeOutputRecords<R> record = tiles.GetThreadNodeOutputRecords(1);
    uint rows = 5;
    if (few[0] > 3)
        rows = 7;
    record.Get().grid = uint3(few[1], rows, 1);
    record.OutputComplete();
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(64, 4, 1)] [NumThreads(32, 1, 1)]
void tiles(DispatchNodeInputRecord<R> input) { uint3 grid = input.Get().grid; }
