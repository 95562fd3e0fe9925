//! library
// In a library the last of two launch modes counts, as in DXC, and with it its requirements.
struct R { uint x; };
[Shader("node")] [NodeLaunch("thread")] [NodeLaunch("coalescing")] [NumThreads(4, 1, 1)] //~ WARN WG0122
void group([MaxRecords(2)] GroupNodeInputRecords<R> i) { }
[Shader("node")] [NodeLaunch("coalescing")] [NodeLaunch("thread")] //~ WARN WG0122
void other([MaxRecords(2)] GroupNodeInputRecords<R> i) { } //~ ERROR WG0311
