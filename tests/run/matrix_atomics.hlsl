// Atomics on elements of matrices, by name and by index, in memory that is shared.

RWStructuredBuffer<uint2x2> M : register(u1);
RWStructuredBuffer<uint> Out : register(u0);

groupshared uint2x2 Shared;

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(4, 1, 1)]
void Start(uint i : SV_GroupIndex)
{
    if (i == 0)
        Shared = 0;
    GroupMemoryBarrierWithGroupSync();
    InterlockedAdd(Shared._m01, i + 1);
    InterlockedOr(Shared._22, 1u << i);
    InterlockedMax(Shared[1][0], i * i);
    InterlockedAdd(M[0]._21, 3);
    GroupMemoryBarrierWithGroupSync();
    if (i == 0)
    {
        Out[0] = Shared._11;
        Out[1] = Shared._12;
        Out[2] = Shared._21;
        Out[3] = Shared._22;
    }
}
