struct R { uint x; };
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(64, 1, 1)]
void sends(uint t : SV_GroupIndex, [MaxRecords(64)] NodeOutput<R> takes)
{
    ThreadNodeOutputRecords<R> r = takes.GetThreadNodeOutputRecords(t < 8 ? 1 : 0);
    if (t < 8)
        r.Get().x = t;
    r.OutputComplete();
}
[Shader("node")] [NodeLaunch("thread")] void takes(ThreadNodeInputRecord<R> i) { }
