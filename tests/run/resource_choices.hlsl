// Resources that are chosen while the program runs: by branches, by loops, by returns, by indexes of arrays in variables,
// differently by threads of one group.

struct Params { uint scale; uint2 add; };

RWStructuredBuffer<uint> Out : register(u0);
StructuredBuffer<uint> A : register(t0, space1);
StructuredBuffer<uint> B : register(t1, space1);
StructuredBuffer<uint> Many[3] : register(t2, space1);
Texture2D<uint> Left : register(t0, space2);
Texture2D<uint> Right : register(t1, space2);
RWTexture2D<uint> Drawn : register(u0, space2);
RWTexture2D<uint> Erased : register(u1, space2);
RWByteAddressBuffer Grid[2][2] : register(u0, space3);
ConstantBuffer<Params> One : register(b0, space3);
ConstantBuffer<Params> Two : register(b1, space3);
RWStructuredBuffer<uint> First : register(u0, space4);
globallycoherent RWStructuredBuffer<uint> Second : register(u1, space4);

struct Layer
{
    StructuredBuffer<uint> data;
    uint factor;

    uint At(uint i) { return data[i] * factor; }
};

StructuredBuffer<uint> Pick(uint which)
{
    if (which == 0)
        return A;
    for (uint i = 0; i < which; ++i)
        if (i == 2)
            return Many[i];
    return B;
}

uint Corner(RWByteAddressBuffer row[2], uint column)
{
    return row[column].Load(0);
}

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(4, 1, 1)]
void Start(uint thread : SV_GroupThreadID)
{
    // Two images, one of which is read: a texel, and its size.
    Texture2D<uint> t = thread < 2 ? Left : Right;
    uint width, height;
    t.GetDimensions(width, height);
    Out[thread] = t.Load(int3(thread & 1, 0, 0)) + width * 1000;

    // A function with returns in a branch, in a loop, and at its end.
    Out[4 + thread] = Pick(thread)[1];

    // The result of a loop, which may be an element at an index of its own.
    StructuredBuffer<uint> last = A;
    for (uint i = 0; i < thread; ++i) {
        if (i == 1)
            last = B;
        else
            last = Many[NonUniformResourceIndex(i)];
    }
    Out[8 + thread] = last[2];

    // Structures with resources in an array, at an index that differs; the numbers in them are copied too.
    Layer layers[2];
    layers[0].data = A;
    layers[0].factor = 2;
    layers[1].data = B;
    layers[1].factor = 3;
    layers[thread & 1].factor += 10;
    layers[(thread & 1) ^ 1].data = Many[1];
    Layer mine = layers[thread & 1];
    Out[12 + thread] = mine.At(0) + layers[1 - (thread & 1)].At(0) * 1000;

    // A row of an array, by an index that is no constant.
    Out[16 + thread] = Corner(Grid[thread >> 1], thread & 1);

    // Writes go to the chosen resource: texels, elements and atomics.
    RWTexture2D<uint> image;
    if (thread == 3)
        image = Erased;
    else
        image = Drawn;
    image[uint2(thread, 0)] = thread + 50;

    RWStructuredBuffer<uint> target;
    switch (thread) {
    case 0:
    case 2:
        target = First;
        break;
    default:
        target = Second;
        break;
    }
    target[thread] = 7 * thread;
    InterlockedAdd(target[4], thread + 1);
    target.IncrementCounter();

    ConstantBuffer<Params> params = thread == 1 ? Two : One;
    Out[20 + thread] = params.scale * 10 + params.add.y;

    // Swapped on some paths: each is the one or the other.
    StructuredBuffer<uint> x = A, y = B;
    if (thread & 1) {
        StructuredBuffer<uint> z = x;
        x = y;
        y = z;
    }
    Out[24 + thread] = x[0] * 10 + y[0];
}
