// A write beyond the end of the buffer.

RWStructuredBuffer<uint> Out : register(u0);

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(8, 1, 1)]
void Main(uint t : SV_GroupIndex)
{
    uint count, stride;
    Out.GetDimensions(count, stride);
    Out[count - 7 + t] = t; // BUG
}
