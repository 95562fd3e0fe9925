// A texel outside the image is written.

RWTexture2D<uint> Image : register(u1);

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(8, 1, 1)]
void Main(uint t : SV_GroupIndex)
{
    Image[uint2(t, 1)] = t; // BUG
}
