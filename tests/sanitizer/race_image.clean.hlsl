// Each workgroup has its own texels.

RWTexture2D<uint> Image : register(u1);

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(4, 1, 1)]
[NumThreads(4, 1, 1)]
void Main(uint3 group : SV_GroupID, uint t : SV_GroupIndex)
{
    Image[uint2(t, group.x)] = group.x;
}
