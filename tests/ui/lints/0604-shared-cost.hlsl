//! hints
struct R { uint value; };

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(32, 1, 1)]
void root(
    [MaxRecords(32)] NodeOutput<R> first, //~ HINT WG0604
    [MaxRecords(32)] NodeOutput<R> alone)
{
    ThreadNodeOutputRecords<R> a = first.GetThreadNodeOutputRecords(1);
    a.Get().value = 1;
    a.OutputComplete();
    ThreadNodeOutputRecords<R> b = alone.GetThreadNodeOutputRecords(1);
    b.Get().value = 2;
    b.OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")]
void first(ThreadNodeInputRecord<R> input) { }

[Shader("node")] [NodeLaunch("thread")] [NodeShareInputOf("first")]
void second(ThreadNodeInputRecord<R> input) { }

[Shader("node")] [NodeLaunch("thread")] [NodeShareInputOf("first")]
void third(ThreadNodeInputRecord<R> input) { }

[Shader("node")] [NodeLaunch("thread")]
void alone(ThreadNodeInputRecord<R> input) { }
