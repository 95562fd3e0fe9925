// A memory barrier orders memory, but no thread waits for another.

RWStructuredBuffer<uint> Out : register(u0);

groupshared uint Line[8];

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(8, 1, 1)]
void Main(uint t : SV_GroupIndex)
{
    Line[t] = t + 1;
    GroupMemoryBarrier();
    Out[t] = Line[7 - t]; // BUG
}
