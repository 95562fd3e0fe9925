// Sends each row to a node by its length.

#include "spmv.hlsli"

struct Matrix { uint groups : SV_DispatchGrid; uint rows; };
struct Row { uint row; uint first; uint last; };

[Shader("node")] [NodeLaunch("broadcasting")] [NodeIsProgramEntry]
[NodeMaxDispatchGrid(GROUPS, 1, 1)] [NumThreads(64, 1, 1)]
void Bin(DispatchNodeInputRecord<Matrix> input, uint3 at : SV_DispatchThreadID,
    [MaxRecords(64)] NodeOutput<Row> Short, [MaxRecords(64)] NodeOutput<Row> Medium, [MaxRecords(64)] NodeOutput<Row> Long)
{
    Row row = (Row)0;
    bool some = at.x < input.Get().rows;
    if (some)
    {
        row.row = at.x;
        row.first = Rows[at.x];
        row.last = Rows[at.x + 1];
    }
    uint length = row.last - row.first;
    bool is_short = some && length < c_short, is_medium = some && length >= c_short && length < c_medium;
    bool is_long = length >= c_medium;
    ThreadNodeOutputRecords<Row> s = Short.GetThreadNodeOutputRecords(is_short ? 1 : 0);
    if (is_short)
        s.Get() = row;
    s.OutputComplete();
    ThreadNodeOutputRecords<Row> m = Medium.GetThreadNodeOutputRecords(is_medium ? 1 : 0);
    if (is_medium)
        m.Get() = row;
    m.OutputComplete();
    ThreadNodeOutputRecords<Row> l = Long.GetThreadNodeOutputRecords(is_long ? 1 : 0);
    if (is_long)
        l.Get() = row;
    l.OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")]
void Short(ThreadNodeInputRecord<Row> input)
{
    Out[input.Get().row] = Sum(input.Get().first, input.Get().last, 0, 1);
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(32, 1, 1)]
void Medium(DispatchNodeInputRecord<Row> input, uint thread : SV_GroupIndex)
{
    Together(input.Get().row, input.Get().first, input.Get().last, thread, 32);
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(256, 1, 1)]
void Long(DispatchNodeInputRecord<Row> input, uint thread : SV_GroupIndex)
{
    Together(input.Get().row, input.Get().first, input.Get().last, thread, 256);
}
