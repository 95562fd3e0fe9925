// Memory of a group that a thread node comes to, by itself or in a function.
groupshared uint Sum;
RWStructuredBuffer<uint> Out;
void add() { Sum += 1; }
[Shader("node")] [NodeLaunch("thread")] void reads() { Out[0] = Sum; } //~ ERROR WG0333
[Shader("node")] [NodeLaunch("thread")] void calls() { add(); } //~ ERROR WG0333
