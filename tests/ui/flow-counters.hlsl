// Records that counters open and close: relations between numbers are not tracked, and possible mistakes are not reported.

struct R { uint x; };

cbuffer C
{
    uint limit;
}

RWStructuredBuffer<uint> Out;

// Opened with the first of four, sent with the last, and the rest sent after the loop.
[Shader("node")]
[NodeLaunch("thread")]
void packs([MaxRecords(4)] NodeOutput<R> next)
{
    ThreadNodeOutputRecords<R> record;
    uint filled = 0;
    for (uint i = 0; i < limit; ++i)
    {
        if (filled == 0)
            record = next.GetThreadNodeOutputRecords(1);
        record.Get().x = i;
        if (++filled == 4)
        {
            record.OutputComplete();
            filled = 0;
        }
    }
    if (filled != 0)
        record.OutputComplete();
}

[Shader("node")]
[NodeLaunch("thread")]
void opensOnce([MaxRecords(1)] NodeOutput<R> next)
{
    ThreadNodeOutputRecords<R> record;
    uint opened = 0;
    for (uint i = 0; i < limit; ++i)
    {
        if (opened == 0)
            record = next.GetThreadNodeOutputRecords(1);
        record.Get().x = i;
        ++opened;
    }
    if (opened > 0)
        record.OutputComplete();
}

[Shader("node")]
[NodeLaunch("thread")]
void fours([MaxRecords(8)] NodeOutput<R> next)
{
    ThreadNodeOutputRecords<R> record;
    for (uint i = 0; i < limit; ++i)
    {
        if ((i & 3) == 0)
            record = next.GetThreadNodeOutputRecords(1);
        record.Get().x = i;
        if (i % 4 == 3 || i + 1 == limit)
            record.OutputComplete();
    }
}

// Iterations of a loop are different: the second one comes if there is one.
[Shader("node")]
[NodeLaunch("thread")]
void again([MaxRecords(1)] NodeOutput<R> next)
{
    ThreadNodeOutputRecords<R> record = next.GetThreadNodeOutputRecords(1);
    uint i = 0;
    do
    {
        record.Get().x = i; //~ WARN WG0342
        record.OutputComplete();
    } while (++i < limit);
}

[Shader("node")]
[NodeLaunch("thread")]
void next(ThreadNodeInputRecord<R> input)
{
    Out[input.Get().x] = 1;
}
