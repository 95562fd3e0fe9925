// Each thread has its own element.

RWStructuredBuffer<uint> Out : register(u0);

groupshared uint Half[4];

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(8, 1, 1)]
void Main(uint t : SV_GroupIndex)
{
    Half[t % 4] = 0;
    GroupMemoryBarrierWithGroupSync();
    if (t % 2 == 0)
        Half[t / 2] = t;
    GroupMemoryBarrierWithGroupSync();
    Out[t] = Half[t % 4];
}
