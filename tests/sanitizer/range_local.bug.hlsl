// An index outside an array of the thread.

RWStructuredBuffer<uint> Out : register(u0);

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(8, 1, 1)]
void Main(uint t : SV_GroupIndex)
{
    uint list[4] = { 1, 2, 3, 4 };
    list[t] = 9; // BUG
    Out[t] = list[0];
}
