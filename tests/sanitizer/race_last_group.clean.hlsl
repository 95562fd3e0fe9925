// Barriers of the device are on both sides of the counter.

globallycoherent RWStructuredBuffer<uint> Out : register(u0);

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(4, 1, 1)]
[NumThreads(1, 1, 1)]
void Main(uint3 group : SV_GroupID)
{
    Out[1 + group.x] = group.x * 7;
    DeviceMemoryBarrier();
    uint before;
    InterlockedAdd(Out[0], 1, before);
    if (before != 3)
        return;
    DeviceMemoryBarrier();
    uint sum = 0;
    for (uint i = 0; i < 4; ++i)
        sum += Out[1 + i];
    Out[5] = sum;
}
