// The loop reaches every index.

RWStructuredBuffer<uint> Out : register(u0);

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(4, 1, 1)]
void Main(uint t : SV_GroupIndex)
{
    uint list[4];
    for (uint i = 0; i < 4; ++i)
        list[i] = i * t;
    Out[t] = list[t] * 2;
}
