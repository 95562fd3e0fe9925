// Budgets: a number of records, within the limits of a group.
struct R { uint v; };

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(1, 1, 1)]
void start([MaxRecords(256)] NodeOutput<R> most, [MaxRecords(-1)] EmptyNodeOutput few) { } //~ ERROR WG0121

[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(4, 1, 1)]
void most([MaxRecords(256)] GroupNodeInputRecords<R> r, [MaxRecords(256)] NodeOutput<R> over) { }

[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(4, 1, 1)]
void over([MaxRecords(4000000000)] GroupNodeInputRecords<R> r) { }                       // It may receive less.

[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(4, 1, 1)]
void few([MaxRecords(-1)] EmptyNodeInput r) { }                                          //~ ERROR WG0121
