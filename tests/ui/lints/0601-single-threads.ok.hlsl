//! hints
struct R { uint value; };

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(1, 2, 1)]
void wide(DispatchNodeInputRecord<R> input) { }

[Shader("node")] [NodeLaunch("thread")] [NumThreads(1, 1, 1)]
void single(ThreadNodeInputRecord<R> input) { }
