// Resources that the host binds are not shared by a group alone.
groupshared RWByteAddressBuffer Bytes; //~ ERROR WG0112
static groupshared Texture2D<float> Images[2]; //~ ERROR WG0112
RWStructuredBuffer<uint> Out;

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(8, 1, 1)]
void Start()
{
    Out[0] = Bytes.Load(0);
}
