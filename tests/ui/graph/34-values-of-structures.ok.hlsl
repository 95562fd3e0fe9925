struct R { uint x; };
struct Ids { uint thread : SV_GroupIndex; };
struct Outer { Ids ids; };
[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(4, 1, 1)] void alone([MaxRecords(4)] GroupNodeInputRecords<R> i, Outer where) { }
