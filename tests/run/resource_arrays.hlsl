// Arrays of resources: of a size, of two dimensions, open; chosen by constants, by the same number for all threads, and
// by one that differs between them.

struct Params { uint scale; uint add; };

RWStructuredBuffer<uint> Out : register(u0);
StructuredBuffer<uint> Inputs[3] : register(t0, space1);
RWByteAddressBuffer Grid[2][2] : register(u1, space1);
RWStructuredBuffer<uint2> Open[] : register(u0, space2);
ConstantBuffer<Params> Sets[2] : register(b0, space3);
RWTexture2D<uint> Images[2] : register(u3, space3);

uint Total(StructuredBuffer<uint> data, uint count)
{
    uint sum = 0;
    for (uint i = 0; i < count; ++i)
        sum += data[i];
    return sum;
}

uint First(StructuredBuffer<uint> all[3], uint which)
{
    return all[which][0];
}

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(4, 1, 1)]
void Start(uint thread : SV_GroupThreadID)
{
    // A different buffer for each thread.
    uint which = thread % 3;
    uint one = Inputs[NonUniformResourceIndex(which)][1];
    Out[thread] = one + Sets[NonUniformResourceIndex(thread & 1)].add;

    // Two dimensions: row major, as the elements of Grid are bound.
    Grid[NonUniformResourceIndex(thread >> 1)][NonUniformResourceIndex(thread & 1)].Store(4, 100 + thread);

    Open[NonUniformResourceIndex(which)][thread] = uint2(thread, which);

    if (thread == 0) {
        for (uint i = 0; i < 3; ++i) {
            StructuredBuffer<uint> data = Inputs[i];
            Out[4 + i] = Total(data, 3) * Sets[0].scale;
        }
        uint count, stride;
        Inputs[2].GetDimensions(count, stride);
        Out[7] = count * 10 + stride;
        Out[8] = First(Inputs, 2) + Grid[1][0].Load(0);
        for (uint k = 0; k < 2; ++k) {
            Images[k][uint2(1, k)] = 7 + k;
            Images[k][uint2(0, 0)] = Images[k][uint2(1, k)] * 2;
        }
    }
}
