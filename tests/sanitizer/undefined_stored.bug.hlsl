// A buffer receives a value that is written nowhere.

RWStructuredBuffer<uint> Out : register(u0);

struct Pair { uint first; uint second; };

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(2, 1, 1)]
void Main(uint t : SV_GroupIndex)
{
    Pair pair;
    pair.first = t;
    Out[t] = pair.second; // BUG
}
