struct Most { uint data[8192]; };
struct Larger { uint data[8193]; };
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(2, 1, 1)] [NumThreads(32, 1, 1)] void large(DispatchNodeInputRecord<Most> i) { }
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(2, 1, 1)] [NumThreads(32, 1, 1)] void first([MaxRecords(1)] NodeOutput<Most> large) { }
// Hosts may send any records.
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(2, 1, 1)] [NumThreads(32, 1, 1)] void from_the_host(DispatchNodeInputRecord<Larger> i) { }
