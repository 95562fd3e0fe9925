// One thread clears the sum first.

RWStructuredBuffer<uint> Out : register(u0);

groupshared uint Sum;

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(8, 1, 1)]
void Main(uint t : SV_GroupIndex)
{
    if (t == 0)
        Sum = 0;
    GroupMemoryBarrierWithGroupSync();
    InterlockedAdd(Sum, t);
    GroupMemoryBarrierWithGroupSync();
    if (t == 0)
        Out[0] = Sum;
}
