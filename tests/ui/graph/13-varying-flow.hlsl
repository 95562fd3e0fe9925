struct R { uint x; };
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(64, 1, 1)]
void sends(uint t : SV_GroupIndex, [MaxRecords(8)] NodeOutput<R> takes)
{
    if (t >= 8)
        return;
    ThreadNodeOutputRecords<R> r = takes.GetThreadNodeOutputRecords(1); //~ WARN WG0345
    r.Get().x = t;
    r.OutputComplete();
}
[Shader("node")] [NodeLaunch("thread")] void takes(ThreadNodeInputRecord<R> i) { }
