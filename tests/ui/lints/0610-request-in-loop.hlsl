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

[Shader("node")] [NodeLaunch("thread")]
void leaf(ThreadNodeInputRecord<R> input) { }
