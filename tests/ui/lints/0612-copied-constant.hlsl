//! hints
struct R { uint item; float scale; };
cbuffer Frame : register(b0) { float Scale; uint Items[4]; };

[Shader("node")] [NodeLaunch("thread")]
void root([MaxRecords(1)] NodeOutput<R> leaf)
{
    ThreadNodeOutputRecords<R> record = leaf.GetThreadNodeOutputRecords(1);
    record.Get().item = 1;
    record.Get().scale = Scale; //~ HINT WG0612
    record.OutputComplete();
}

// Both producers store the same.
[Shader("node")] [NodeLaunch("thread")]
void other([MaxRecords(1)] NodeOutput<R> leaf)
{
    ThreadNodeOutputRecords<R> record = leaf.GetThreadNodeOutputRecords(1);
    record.Get().item = Items[2]; // `root` stores another value
    float scale = Scale;
    record.Get().scale = scale; //~ HINT WG0612
    record.OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")]
void leaf(ThreadNodeInputRecord<R> input) { }
