// Completion in one iteration of a loop. It is certain only if that iteration is, or if no other iteration uses the records.
struct R { uint x; };
RWStructuredBuffer<uint> Counts;

[Shader("node")]
[NodeLaunch("thread")]
void Later([MaxRecords(1)] [NodeID("Leaf")] NodeOutput<R> output)
{
    ThreadNodeOutputRecords<R> r = output.GetThreadNodeOutputRecords(1);
    for (uint k = 0; k < Counts[0]; k++)
    {
        if (k == 2)
            r.OutputComplete();
        r.Get().x = k; //~ WARN WG0342
    }
    if (Counts[0] < 3)
        r.OutputComplete();
}

[Shader("node")]
[NodeLaunch("thread")]
void First([MaxRecords(1)] [NodeID("Leaf")] NodeOutput<R> output)
{
    ThreadNodeOutputRecords<R> r = output.GetThreadNodeOutputRecords(1);
    for (uint k = 0; k < Counts[0]; k++)
    {
        if (k == 0)
            r.OutputComplete();
        r.Get().x = k; //~ ERROR WG0342
    }
}

[Shader("node")]
[NodeLaunch("thread")]
void Constant([MaxRecords(1)] [NodeID("Leaf")] NodeOutput<R> output)
{
    ThreadNodeOutputRecords<R> r = output.GetThreadNodeOutputRecords(1);
    for (uint k = 0; k < 4; k++)
    {
        switch (k)
        {
        case 2:
            r.OutputComplete();
            break;
        }
        r.Get().x = k; //~ ERROR WG0342
    }
}

[Shader("node")]
[NodeLaunch("thread")]
void Cases([MaxRecords(1)] [NodeID("Leaf")] NodeOutput<R> output)
{
    ThreadNodeOutputRecords<R> r = output.GetThreadNodeOutputRecords(1);
    for (uint k = 0; k < Counts[0]; k++)
    {
        switch (k)
        {
        case 1:
            r.OutputComplete();
            break;
        }
        r.Get().x = k; //~ WARN WG0342
    }
}

[Shader("node")]
[NodeLaunch("thread")]
void Leaf(ThreadNodeInputRecord<R> input) { Counts[1] = input.Get().x; }
