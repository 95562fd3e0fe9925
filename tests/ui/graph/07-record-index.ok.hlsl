struct R { uint x; };
RWStructuredBuffer<uint> Out;
[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(1, 1, 1)]
void reads([MaxRecords(4)] GroupNodeInputRecords<R> i) { Out[0] = i[3].x; }
