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

// Not 0 on any path, or nobody knows.
struct One { uint grid : SV_DispatchGrid; };
RWStructuredBuffer<uint> counts : register(u0);

[Shader("node")] [NodeLaunch("thread")]
void locals(ThreadNodeInputRecord<R> input, [MaxRecords(5)] NodeOutput<One> rows)
{
    ThreadNodeOutputRecords<One> one = rows.GetThreadNodeOutputRecords(4);
    uint capped = counts[0];
    if (capped > 64)
        capped = 64;
    one[0].grid = capped;
    uint mended = counts[1];
    if (mended > 64)
        mended = 0;
    if (mended == 0)
        mended = 1;
    one[1].grid = mended;
    uint perhaps = 0;
    bool is_few = counts[2] < 64;
    if (is_few)
        perhaps = counts[2];
    one[2].grid = perhaps + 1;
    one[3].grid = is_few ? perhaps : 2;
    one.OutputComplete();
    uint count = counts[3];
    if (count > 64)
        count = 0;
    if (count > 0)
    {
        ThreadNodeOutputRecords<One> last = rows.GetThreadNodeOutputRecords(1);
        last.Get().grid = count;
        last.OutputComplete();
    }
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(64, 1, 1)] [NumThreads(32, 1, 1)]
void rows(DispatchNodeInputRecord<One> input) { uint grid = input.Get().grid; }
