//! library
// Outputs that functions hand over must be the same on all paths: at run time nothing could find out the right one.
struct R { uint x; };
struct Nothing { };

NodeOutput<R> either(NodeOutput<R> a, NodeOutput<R> b, uint x)
{
    if (x == 0)
        return a;
    return b;
}

void give(NodeOutput<R> a, NodeOutput<R> b, uint x, out NodeOutput<R> c)
{
    c = a;
    if (x == 0)
        c = b;
}

[Shader("node")] [NodeLaunch("thread")]
void a(ThreadNodeInputRecord<R> input, [MaxRecords(2)] NodeOutput<R> A, [MaxRecords(2)] NodeOutput<R> B)
{
    either(A, B, input.Get().x).GetThreadNodeOutputRecords(1).OutputComplete(); //~ ERROR WG0503
}

[Shader("node")] [NodeLaunch("thread")] [NodeID("A")]
void b(ThreadNodeInputRecord<R> input, [MaxRecords(2)] NodeOutput<R> C, [MaxRecords(2)] NodeOutput<R> D)
{
    NodeOutput<R> chosen;
    give(C, D, input.Get().x, chosen); //~ ERROR WG0503
}

[Shader("node")] [NodeLaunch("thread")]
void B(ThreadNodeInputRecord<R> input, [MaxRecords(2)] NodeOutput<R> E)
{
    NodeOutput<R> nothing;
    nothing.GetThreadNodeOutputRecords(1).OutputComplete(); //~ ERROR WG0344
}

void handles()
{
    ThreadNodeOutputRecords<float> numbers; //~ ERROR WG0316
    GroupNodeOutputRecords<Nothing> empty; //~ ERROR WG0316
}
