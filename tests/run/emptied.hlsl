// `OutputComplete` on variables without a handle does nothing: nothing was assigned, or they were emptied before.
struct R { uint x; };

RWStructuredBuffer<uint> results : register(u0);

void finish(inout ThreadNodeOutputRecords<R> r) { r.OutputComplete(); }

[Shader("node")] [NodeLaunch("thread")]
void root(ThreadNodeInputRecord<R> i, [MaxRecords(4)] NodeOutput<R> sink)
{
    ThreadNodeOutputRecords<R> never;
    never.OutputComplete();
    ThreadNodeOutputRecords<R> r = sink.GetThreadNodeOutputRecords(1);
    r.Get().x = i.Get().x;
    finish(r);
    finish(r);
    r.OutputComplete();
    for (uint n = 0; n < 2; ++n) {
        r = sink.GetThreadNodeOutputRecords(1);
        r.Get().x = 10 * i.Get().x;
        r.OutputComplete();
        if (n == 0)
            r.OutputComplete();
    }
    r.OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")]
void sink(ThreadNodeInputRecord<R> i)
{
    InterlockedAdd(results[0], i.Get().x);
    InterlockedAdd(results[1], 1);
}
