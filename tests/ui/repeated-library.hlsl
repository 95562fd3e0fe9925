//! library
// Of two launch modes the last one counts in a library, as DXC has it, and with it what it asks for.
struct R { uint x; };
[Shader("node")] [NodeLaunch("thread")] [NodeLaunch("coalescing")] [NumThreads(4, 1, 1)] //~ WARN WG0122
void group([MaxRecords(2)] GroupNodeInputRecords<R> i) { }
[Shader("node")] [NodeLaunch("coalescing")] [NodeLaunch("thread")] //~ WARN WG0122
void other([MaxRecords(2)] GroupNodeInputRecords<R> i) { } //~ ERROR WG0311
