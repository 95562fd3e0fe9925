struct R { uint x; };
struct Line { uint data[32]; };
[Shader("node")] [NodeLaunch("thread")] void takes_r(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] void line_(ThreadNodeInputRecord<Line> i) { }
[Shader("node")] [NodeLaunch("thread")] void records([MaxRecords(8)] NodeOutput<R> takes_r) { }
[Shader("node")] [NodeLaunch("thread")] void bytes([MaxRecords(1)] NodeOutput<Line> line_) { }
