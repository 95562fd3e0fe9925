// 4 threads x 2 records = 8 of 7.
struct R { uint x; };
[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(4, 1, 1)]
void sends([MaxRecords(7)] NodeOutput<R> takes) { takes.GetThreadNodeOutputRecords(2).OutputComplete(); } //~ WARN WG0348
[Shader("node")] [NodeLaunch("thread")] void takes(ThreadNodeInputRecord<R> i) { }
