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
    float scale = Scale;
    scale *= 2;
    records[0].scale = scale; // something of its own
    records[1] = Jobs.start; // a record that the host has prepared
    records.OutputComplete();
}

// Another producer of the same node has another value.
struct S { uint item; float scale; };
[Shader("node")] [NodeLaunch("thread")]
void copies([MaxRecords(1)] NodeOutput<S> both)
{
    ThreadNodeOutputRecords<S> record = both.GetThreadNodeOutputRecords(1);
    record.Get().item = 1;
    record.Get().scale = Scale;
    record.OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")]
void chooses([MaxRecords(1)] NodeOutput<S> both)
{
    S made = { 2, 0.5 };
    ThreadNodeOutputRecords<S> record = both.GetThreadNodeOutputRecords(1);
    record.Get() = made;
    record.OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")]
void both(ThreadNodeInputRecord<S> input) { float scale = input.Get().scale * input.Get().item; }

// A host feeds this one, too.
struct T { float scale; };
[Shader("node")] [NodeLaunch("thread")]
void sends([MaxRecords(1)] NodeOutput<T> fed)
{
    ThreadNodeOutputRecords<T> record = fed.GetThreadNodeOutputRecords(1);
    record.Get().scale = Scale;
    record.OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry]
void fed(ThreadNodeInputRecord<T> input) { float scale = input.Get().scale; }

// Local root arguments: the buffer of one node is not that of the other.
LocalRootSignature Own = { "CBV(b2)" };
SubobjectToExportsAssociation OfBoth = { "Own", "gives;gets" };
cbuffer PerNode : register(b2) { uint Id; };
struct U { uint from; };
[Shader("node")] [NodeLaunch("thread")]
void gives([MaxRecords(1)] NodeOutput<U> gets)
{
    ThreadNodeOutputRecords<U> record = gets.GetThreadNodeOutputRecords(1);
    record.Get().from = Id;
    record.OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")]
void gets(ThreadNodeInputRecord<U> input) { uint from = input.Get().from; }

[Shader("node")] [NodeLaunch("thread")]
void leaf(ThreadNodeInputRecord<R> input) { float scale = input.Get().scale; }
