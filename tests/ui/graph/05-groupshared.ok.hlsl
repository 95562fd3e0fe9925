groupshared uint Sum;
RWStructuredBuffer<uint> Out;
void add() { Sum += 1; }
[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(1, 1, 1)] void calls() { add(); Out[0] = Sum; }
[Shader("node")] [NodeLaunch("thread")] void reads() { Out[0] = 1; }
