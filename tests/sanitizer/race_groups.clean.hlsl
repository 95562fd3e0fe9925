// Every workgroup has its own element.

RWStructuredBuffer<uint> Out : register(u0);

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(4, 1, 1)]
[NumThreads(1, 1, 1)]
void Main(uint3 group : SV_GroupID)
{
    Out[group.x] += group.x + 1;
}
