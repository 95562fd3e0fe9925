// Memory of a group that a thread node reaches, directly or in a function.
groupshared uint Sum;
RWStructuredBuffer<uint> Out;
void add() { Sum += 1; }
[Shader("node")] [NodeLaunch("thread")] void reads() { Out[0] = Sum; } //~ ERROR WG0333
[Shader("node")] [NodeLaunch("thread")] void calls() { add(); } //~ ERROR WG0333
uint Read(bool c) { return c ? Sum : 0; }
uint Far(uint k) { return Read(k > 2) + 1; }
[Shader("node")] [NodeLaunch("thread")] void far() //~ ERROR WG0333
{
    uint x = Out[1];
    Out[0] = Far(x) + Far(2);
}
