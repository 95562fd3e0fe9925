//! hints
struct R { uint value; };

[Shader("node")] [NodeLaunch("thread")]
void root([MaxRecords(8)] NodeOutput<R> leaf)
{
    for (uint i = 0; i < 4; i++)
    {
        ThreadNodeOutputRecords<R> record = leaf.GetThreadNodeOutputRecords(1); //~ HINT WG0610
        record.Get().value = i;
        record.OutputComplete();
    }
}

// The inner loop is left, and the outer one reaches it again.
cbuffer Settings { uint Count; uint Kind; };

[Shader("node")] [NodeLaunch("thread")]
void searches([MaxRecords(8)] [NodeID("leaf")] NodeOutput<R> target)
{
    for (uint k = 0; k < Count; k++)
    {
        for (uint n = 0; n < Count; n++)
        {
            if (n * k == Kind)
            {
                target.GetThreadNodeOutputRecords(1).OutputComplete(); //~ HINT WG0610
                break;
            }
        }
    }
}

// After it the loop may still continue.
[Shader("node")] [NodeLaunch("thread")]
void goesOn([MaxRecords(8)] [NodeID("leaf")] NodeOutput<R> target)
{
    for (uint n = 0; n < Count; n++)
    {
        switch (n)
        {
        case 3:
            target.GetThreadNodeOutputRecords(1).OutputComplete(); //~ HINT WG0610
            break;
        default:
            return;
        }
        if (n == Kind)
            break;
    }
}

[Shader("node")] [NodeLaunch("thread")]
void leaf(ThreadNodeInputRecord<R> input) { }
