// The node that sends is not proposed as the target.
struct R { uint x; };
[Shader("node")] [NodeLaunch("thread")]
void Shade1(ThreadNodeInputRecord<R> r, [MaxRecords(1)] NodeOutput<R> Shade2) { //~ ERROR WG0401
    Shade2.GetThreadNodeOutputRecords(1).OutputComplete();
}
