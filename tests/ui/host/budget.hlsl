//! host budget.json
struct R { uint x; };
[Shader("node")] [NodeLaunch("thread")]
void sends([MaxRecords(2)] NodeOutput<R> takes)
{
    takes.GetThreadNodeOutputRecords(2).OutputComplete(); //~ WARN WG0348
}
[Shader("node")] [NodeLaunch("thread")] void takes(ThreadNodeInputRecord<R> i) { }
