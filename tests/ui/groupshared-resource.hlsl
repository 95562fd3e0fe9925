// Resources that the host binds are not shared by a group alone.
groupshared RWByteAddressBuffer Bytes; //~ ERROR WG0112
static groupshared Texture2D<float> Images[2]; //~ ERROR WG0112
RWStructuredBuffer<uint> Out;

// A variable is shared, not a part of one.
struct Part
{
    groupshared uint Value; //~ ERROR WG0112
    extern uint Other; //~ ERROR WG0112
};
groupshared Part Shared;
groupshared uint Sum(Part part) { return part.Value + part.Other; } //~ ERROR WG0112

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(8, 1, 1)]
void Start()
{
    Out[0] = Bytes.Load(0) + Sum(Shared);
}
