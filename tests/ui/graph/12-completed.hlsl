struct R { uint x; };
[Shader("node")] [NodeLaunch("thread")]
void sends([MaxRecords(1)] NodeOutput<R> takes)
{
    ThreadNodeOutputRecords<R> r = takes.GetThreadNodeOutputRecords(1);
    ThreadNodeOutputRecords<R> copy = r;
    r.OutputComplete();
    copy.Get().x = 1; //~ ERROR WG0342
}
[Shader("node")] [NodeLaunch("thread")] void takes(ThreadNodeInputRecord<R> i) { }
