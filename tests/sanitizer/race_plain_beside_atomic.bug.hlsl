// A plain read of a counter next to atomic additions.

RWStructuredBuffer<uint> Out : register(u0);

groupshared uint Count;

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(8, 1, 1)]
void Main(uint t : SV_GroupIndex)
{
    if (t == 0)
        Count = 0;
    GroupMemoryBarrierWithGroupSync();
    InterlockedAdd(Count, t);
    if (Count > 20) // BUG
        Out[t] = 1;
}
