//! host no-entry.json
// The host's list of entries is empty, so nothing starts the graph.
struct Work { uint x; };
[Shader("node")] [NodeLaunch("thread")] [NodeMaxRecursionDepth(4)]
void Split(ThreadNodeInputRecord<Work> input, [MaxRecords(2)] NodeOutput<Work> Split) { } //~ ERROR WG0415
