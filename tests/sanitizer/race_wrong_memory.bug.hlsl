// The barrier orders workgroup memory, and the threads share a buffer.

RWStructuredBuffer<uint> Out : register(u0);

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(8, 1, 1)]
void Main(uint t : SV_GroupIndex)
{
    Out[t] = t;
    GroupMemoryBarrierWithGroupSync();
    uint other = Out[t ^ 1]; // BUG
    DeviceMemoryBarrierWithGroupSync();
    Out[8 + t] = other;
}
