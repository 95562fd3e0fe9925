// A variable has a value in some threads only.

RWStructuredBuffer<uint> Out : register(u0);

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(8, 1, 1)]
void Main(uint t : SV_GroupIndex)
{
    uint limit;
    if (t < 7)
        limit = t * 2;
    for (uint i = 0; i < limit; ++i) // BUG
        Out[t] += i;
}
