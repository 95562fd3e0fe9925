cbuffer C { bool Flag; };
struct R { uint x; };
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(64, 1, 1)]
void sends(uint t : SV_GroupIndex, [MaxRecords(128)] NodeOutput<R> takes)
{
    ThreadNodeOutputRecords<R> a = takes.GetThreadNodeOutputRecords(1);
    ThreadNodeOutputRecords<R> b = takes.GetThreadNodeOutputRecords(1);
    ThreadNodeOutputRecords<R> c = a;
    if (Flag)
        c = b;
    c.Get().x = t;
    a.OutputComplete();
    b.OutputComplete();
}
[Shader("node")] [NodeLaunch("thread")] void takes(ThreadNodeInputRecord<R> i) { }
