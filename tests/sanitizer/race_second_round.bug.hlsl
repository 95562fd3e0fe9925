// The next iteration overwrites values that threads still read: one barrier of two is missing.

RWStructuredBuffer<uint> Out : register(u0);

groupshared uint Line[8];

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(8, 1, 1)]
void Main(uint t : SV_GroupIndex)
{
    uint sum = 0;
    for (uint round = 0; round < 3; ++round)
    {
        Line[t] = t * round; // BUG
        GroupMemoryBarrierWithGroupSync();
        sum += Line[t ^ 1];
    }
    Out[t] = sum;
}
