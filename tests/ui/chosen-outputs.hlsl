// The chosen output must be known; only elements of one array are chosen at run time.
struct R { uint a; };

NodeOutput<R> either(NodeOutput<R> a, NodeOutput<R> b, bool first)
{
    if (first)
        return a;
    return b;
}

NodeOutput<R> element(NodeOutputArray<R> all, uint i) { return all[i]; }

void assign(NodeOutput<R> a, out NodeOutput<R> b) { b = a; }

struct Outputs { NodeOutput<R> left; uint n; };
struct Records { ThreadNodeOutputRecords<R> a, b; };

[Shader("node")] [NodeLaunch("thread")]
void returned(ThreadNodeInputRecord<R> i, [MaxRecords(1)] NodeOutput<R> left, [MaxRecords(1)] NodeOutput<R> right)
{
    either(left, right, i.Get().a == 1).GetThreadNodeOutputRecords(1).OutputComplete(); //~ ERROR WG0503
}

[Shader("node")] [NodeLaunch("thread")]
void assigned(ThreadNodeInputRecord<R> i, [MaxRecords(1)] NodeOutput<R> left, [MaxRecords(1)] NodeOutput<R> right)
{
    NodeOutput<R> chosen = left;
    if (i.Get().a == 1)
        chosen = right; //~ ERROR WG0503
    chosen.GetThreadNodeOutputRecords(1).OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")]
void kept(ThreadNodeInputRecord<R> i, [MaxRecords(1)] NodeOutput<R> left)
{
    Outputs outputs; //~ ERROR WG0503
    outputs.left = left;
    outputs.left.GetThreadNodeOutputRecords(1).OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")]
void listed(ThreadNodeInputRecord<R> i, [MaxRecords(1)] NodeOutput<R> left, [MaxRecords(1)] NodeOutput<R> right)
{
    NodeOutput<R> outputs[2]; //~ ERROR WG0503
    outputs[0] = left;
    outputs[1] = right;
    outputs[i.Get().a].GetThreadNodeOutputRecords(1).OutputComplete();
}

static Records everywhere; //~ ERROR WG0116

[Shader("node")] [NodeLaunch("thread")]
void handled(ThreadNodeInputRecord<R> i, [MaxRecords(2)] NodeOutput<R> left)
{
    Records records;
    records.a = left.GetThreadNodeOutputRecords(1);
    records.b = left.GetThreadNodeOutputRecords(1); //~ ERROR WG0340
    records.a.OutputComplete();
    records.a.Get().a = 1; //~ ERROR WG0342
}

// ---- near misses

[Shader("node")] [NodeLaunch("thread")]
void chosen(ThreadNodeInputRecord<R> i, [MaxRecords(2)] [NodeArraySize(2)] NodeOutputArray<R> sides)
{
    NodeOutput<R> side = element(sides, i.Get().a);
    if (i.Get().a == 1)
        side = sides[0];
    side.GetThreadNodeOutputRecords(1).OutputComplete();
    NodeOutput<R> other;
    assign(side, other);
    other.GetThreadNodeOutputRecords(1).OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")] void left(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] void right(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeID("sides", 0)] void side0(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeID("sides", 1)] void side1(ThreadNodeInputRecord<R> i) { }
