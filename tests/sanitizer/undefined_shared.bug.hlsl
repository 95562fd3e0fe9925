// A sum in workgroup memory starts with an undefined value.

RWStructuredBuffer<uint> Out : register(u0);

groupshared uint Sum;

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(8, 1, 1)]
void Main(uint t : SV_GroupIndex)
{
    GroupMemoryBarrierWithGroupSync();
    InterlockedAdd(Sum, t); // BUG
    GroupMemoryBarrierWithGroupSync();
    if (t == 0)
        Out[0] = Sum;
}
