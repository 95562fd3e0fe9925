//! hints
struct R { uint item; float scale; };
struct Job { R start; };
cbuffer Frame : register(b0) { float Scale; };
ConstantBuffer<Job> Jobs : register(b1);

[Shader("node")] [NodeLaunch("thread")]
void root(ThreadNodeInputRecord<R> input, [MaxRecords(2)] NodeOutput<R> leaf)
{
    ThreadNodeOutputRecords<R> records = leaf.GetThreadNodeOutputRecords(2);
    records[0].item = input.Get().item;
    records[0].scale = Scale * 2; // something of its own
    records[1] = Jobs.start; // a record that the host has prepared
    records.OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")]
void leaf(ThreadNodeInputRecord<R> input) { float scale = input.Get().scale; }
