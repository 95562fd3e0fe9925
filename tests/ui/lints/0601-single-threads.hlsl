//! hints
struct R { uint value; };

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(4, 1, 1)] [NumThreads(1, 1, 1)]
void wide(DispatchNodeInputRecord<R> input) { } //~ HINT WG0601

[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(1, 1, 1)]
void gathered([MaxRecords(8)] GroupNodeInputRecords<R> input) { } //~ HINT WG0601
