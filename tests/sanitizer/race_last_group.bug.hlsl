// The last workgroup sums the others' values, but they do not publish them before they count.

globallycoherent RWStructuredBuffer<uint> Out : register(u0);

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(4, 1, 1)]
[NumThreads(1, 1, 1)]
void Main(uint3 group : SV_GroupID)
{
    Out[1 + group.x] = group.x * 7;
    uint before;
    InterlockedAdd(Out[0], 1, before);
    if (before != 3)
        return;
    DeviceMemoryBarrier();
    uint sum = 0;
    for (uint i = 0; i < 4; ++i)
        sum += Out[1 + i]; // BUG
    Out[5] = sum;
}
