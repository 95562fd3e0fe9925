// An array of a thread is read at an index that the loop leaves out.

RWStructuredBuffer<uint> Out : register(u0);

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(4, 1, 1)]
void Main(uint t : SV_GroupIndex)
{
    uint list[4];
    for (uint i = 1; i < 4; ++i)
        list[i] = i * t;
    Out[t] = list[t] * 2; // BUG
}
