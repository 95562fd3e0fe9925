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

// Through local variables.
struct One { uint grid : SV_DispatchGrid; };
RWStructuredBuffer<uint> counts : register(u0);

[Shader("node")] [NodeLaunch("thread")]
void locals(ThreadNodeInputRecord<R> input, [MaxRecords(6)] NodeOutput<One> rows, [MaxRecords(2)] [NodeID("tiles")] NodeOutput<R> areas)
{
    ThreadNodeOutputRecords<One> one = rows.GetThreadNodeOutputRecords(6);
    uint capped = counts[0];
    if (capped > 64)
        capped = 0;
    one[0].grid = capped; //~ HINT WG0611
    uint either;
    if (counts[1] > 64)
        either = 0;
    else
        either = counts[1];
    one[1].grid = either; //~ HINT WG0611
    uint perhaps = 0;
    if (counts[2] < 64)
        perhaps = counts[2];
    one[2].grid = perhaps; //~ HINT WG0611
    one[3].grid = (perhaps + 63) / 64; //~ HINT WG0611
    one[4].grid = perhaps > 0 ? perhaps : 0; //~ HINT WG0611
    uint inner = counts[3];
    if (inner > 64)
    {
        counts[4] = 1;
        inner = 0;
    }
    one[5].grid = inner; //~ HINT WG0611
    one.OutputComplete();
    ThreadNodeOutputRecords<R> area = areas.GetThreadNodeOutputRecords(2);
    area[0].grid = uint3(either, 1, 1); //~ HINT WG0611
    uint3 whole = uint3(counts[5], 1, 1);
    if (counts[6] > 64)
        whole.x = 0;
    area[1].grid = whole; //~ HINT WG0611
    area.OutputComplete();
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(64, 1, 1)] [NumThreads(32, 1, 1)]
void rows(DispatchNodeInputRecord<One> input) { uint grid = input.Get().grid; }
