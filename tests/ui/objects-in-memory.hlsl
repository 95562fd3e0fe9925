// Objects of nodes in memory, and objects of nodes as variables: the message gives the correct form.
struct R { uint x; };
struct Holder { ThreadNodeOutputRecords<R> handle; uint n; };
struct Outputs { NodeOutput<R> output; uint n; };
struct Textured { Texture2D<float4> image; uint n; };

RWStructuredBuffer<Holder> holders; //~ ERROR WG0116
StructuredBuffer<Outputs> outputs; //~ ERROR WG0116
RWStructuredBuffer<GroupNodeOutputRecords<R> > handles; //~ ERROR WG0116
ConstantBuffer<Holder> constant; //~ ERROR WG0116
AppendStructuredBuffer<Holder> appended; //~ ERROR WG0116
cbuffer Block { Holder inside; }; //~ ERROR WG0116
RWStructuredBuffer<Textured> images;
RWByteAddressBuffer bytes;

void use(inout NodeOutput<R> o) { o.GetThreadNodeOutputRecords(1).OutputComplete(); }
void replace(out NodeOutput<R> o, NodeOutput<R> by) { o = by; }

[Shader("node")] [NodeLaunch("thread")]
void buffers(ThreadNodeInputRecord<R> i)
{
    holders[0].n = outputs[0].n + constant.n + inside.n;
}

[Shader("node")] [NodeLaunch("thread")]
void textures(ThreadNodeInputRecord<R> i)
{
    images[0].n = 1; //~ ERROR WG0116
}

[Shader("node")] [NodeLaunch("thread")]
void loads(ThreadNodeInputRecord<R> i)
{
    uint n = bytes.Load<Holder>(0).n; //~ ERROR WG0116
}

[Shader("node")] [NodeLaunch("thread")]
void stores(ThreadNodeInputRecord<R> i)
{
    Holder h;
    bytes.Store<Holder>(0, h); //~ ERROR WG0116
}

[Shader("node")] [NodeLaunch("thread")]
void elements(ThreadNodeInputRecord<R> i, [MaxRecords(4)] [NodeArraySize(2)] NodeOutputArray<R> sides)
{
    use(sides[i.Get().x]); //~ ERROR WG0205
    replace(sides[0], sides[1]); //~ ERROR WG0205
}

[Shader("node")] [NodeLaunch("thread")]
void choices(
    ThreadNodeInputRecord<R> i,
    [MaxRecords(2)] [NodeID("sides", 0)] NodeOutput<R> left, [MaxRecords(2)] [NodeID("sides", 1)] NodeOutput<R> right,
    [MaxRecords(2)] [NodeArraySize(2)] NodeOutputArray<R> sides)
{
    NodeOutput<R> o = i.Get().x > 3 ? left : right; //~ ERROR WG0207
    ThreadNodeOutputRecords<R> a = left.GetThreadNodeOutputRecords(1);
    ThreadNodeOutputRecords<R> b = right.GetThreadNodeOutputRecords(1);
    (i.Get().x > 3 ? a : b).Get().x = 1; //~ ERROR WG0207
    a.OutputComplete();
    b.OutputComplete();
}

// ---- near misses: the forms that the messages give

void take(NodeOutput<R> o) { o.GetThreadNodeOutputRecords(1).OutputComplete(); }

[Shader("node")] [NodeLaunch("thread")]
void right(
    ThreadNodeInputRecord<R> i, [MaxRecords(4)] [NodeArraySize(2)] NodeOutputArray<R> sides,
    [MaxRecords(1)] [NodeID("sides", 0)] NodeOutput<R> left)
{
    take(sides[i.Get().x > 3 ? 0 : 1]);
    ThreadNodeOutputRecords<R> r;
    if (i.Get().x > 3)
        r = left.GetThreadNodeOutputRecords(1);
    else
        r = sides[1].GetThreadNodeOutputRecords(1);
    r.Get().x = 1;
    r.OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")] [NodeID("sides", 0)] void side0(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeID("sides", 1)] void side1(ThreadNodeInputRecord<R> i) { }
