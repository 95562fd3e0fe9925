struct R { uint data[8193]; };
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(2, 1, 1)] [NumThreads(32, 1, 1)] void large(DispatchNodeInputRecord<R> i) { } //~ ERROR WG0418
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(2, 1, 1)] [NumThreads(32, 1, 1)] void first([MaxRecords(1)] NodeOutput<R> large) { }
