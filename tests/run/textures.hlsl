// Every kind of texture, in all reads that need no derivatives. The run file's comments describe the texels.

Texture2D<float> Plane;
Texture2DArray<float> Layers;
TextureCube<float> Cube;
TextureCubeArray<float> Cubes;
Texture1D<float> Line;
Texture1DArray<float> Lines;
Texture3D<float> Volume;
Texture2D<float4> Colours;
Texture2D<float> Depth;
Texture2D<uint2> Numbers;
Buffer<float3> Triples;
Buffer<uint> Bytes;

RWBuffer<int> Counters;
RWTexture2D<uint> Tally;
RWTexture2D<float4> Canvas;
RWTexture1DArray<int> Rows;
[[vk::image_format("rgba16f")]] RWTexture3D<half4> Fog;

SamplerState Smooth;
sampler Sharp;
SamplerState Edge;
SamplerComparisonState Shadow;

RWStructuredBuffer<float4> Out;

static uint next = 0;
void put(float4 value) { Out[next++] = value; }
void put(float value) { put(float4(value, 0, 0, 0)); }

static const int2 STEP = int2(1, -1);

struct Record { int2 offset; uint pad; };

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(1, 1, 1)]
[NodeIsProgramEntry]
void main(DispatchNodeInputRecord<Record> input)
{
    const int2 moved = input.Get().offset;
    const float2 centre = float2(0.5, 0.5);

    // Filters, levels, addresses. Inside, the plane is 10 y + x.
    put(Plane.SampleLevel(Smooth, centre, 0));                          // 0: (1.5, 1.5)
    put(Plane.SampleLevel(Smooth, float2(0.375, 0.25), 0));             // (1, 0.5)
    put(Plane.SampleLevel(Smooth, centre, 0.5));                        // half of each of two levels
    put(Plane.SampleLevel(Smooth, centre, 9));                          // the last level
    put(Plane.SampleLevel(Sharp, float2(1.125, -0.125), 0));            // wraps to (0, 3)
    put(Plane.SampleLevel(Edge, float2(-0.125, 0.125), 0));             // 5: a white border
    put(Plane.SampleLevel(Smooth, float2(0.125, 0.125), 0, int2(2, 1)));
    put(Plane.SampleLevel(Smooth, float2(0.375, 0.625), 0, STEP));      // (2, 1)
    put(Plane.SampleGrad(Smooth, centre, float2(0.5, 0), float2(0, 0)));  // level 1
    put(Plane.SampleGrad(Smooth, centre, float2(0, 0.125), float2(0.25, 0), int2(0, 0)));

    // Texels.
    put(Plane.Load(int3(1, 1, 1)));                                     // 10
    put(Plane.Load(int3(1, 1, 0), moved));
    put(Plane.mips[1][uint2(0, 1)]);
    put(Plane[uint2(2, 3)]);

    // Four texels together.
    put(Plane.Gather(Smooth, centre));
    put(Plane.GatherRed(Smooth, centre, int2(1, -1)));                  // 15
    put(Plane.GatherRed(Smooth, centre, moved));
    put(Plane.GatherRed(Smooth, centre, int2(0, 0), int2(1, 0), int2(0, 1), int2(1, 1)));
    put(Plane.GatherRed(Smooth, centre, moved, int2(1, 0), int2(0, 1), int2(1, 1)));
    put(Colours.GatherGreen(Smooth, centre));
    put(Colours.GatherAlpha(Smooth, centre));                           // 20

    // Other shapes.
    put(Layers.SampleLevel(Smooth, float3(0.5, 0.5, 1.4), 0));
    put(Layers.SampleLevel(Smooth, float3(0.5, 0.5, 7), 0));
    put(Layers.Load(int4(1, 0, 2, 0)));
    put(Cube.SampleLevel(Sharp, float3(1, 0.1, 0.1), 0));
    put(Cube.SampleLevel(Sharp, float3(0.2, -1, 0.2), 0));              // 25
    put(Cube.SampleLevel(Smooth, float3(0, 0, 1), 0));
    put(Cube.SampleLevel(Smooth, float3(1, 0, -1), 0));                 // across an edge
    put(Cubes.SampleLevel(Sharp, float4(0, 1, 0, 1), 0));
    put(Line.SampleLevel(Smooth, 0.5, 0));
    put(Line.Load(int2(2, 0)));                                         // 30
    put(Lines.SampleLevel(Smooth, float2(0.5, 1), 0));
    put(Volume.SampleLevel(Smooth, float3(0.5, 0.5, 0.5), 0));
    put(Volume.Load(int4(1, 0, 1, 0)));

    // Comparisons: which texels 0.6 does not exceed.
    put(Depth.SampleCmpLevelZero(Shadow, centre, 0.6));
    put(Depth.SampleCmpLevel(Shadow, float2(0.25, 0.75), 0.6, 0));      // 35
    put(Depth.SampleCmpGrad(Shadow, float2(0.75, 0.25), 0.6, float2(0, 0), float2(0, 0)));
    put(Depth.GatherCmp(Shadow, centre, 0.6));

    // Numbers and buffers.
    put(float4(Numbers.Load(int3(1, 0, 0)), Numbers.SampleLevel(Sharp, float2(0.25, 0.5), 0)));
    put(float4(Triples[1], 9));
    put(Bytes.Load(3));                                                 // 40

    // Extents.
    uint w, h, d, n;
    Plane.GetDimensions(w, h);
    put(float4(w, h, 0, 0));
    Plane.GetDimensions(1, w, h, n);
    put(float4(w, h, n, 0));
    Layers.GetDimensions(w, h, d);
    put(float4(w, h, d, 0));
    Cubes.GetDimensions(0, w, h, d, n);
    put(float4(w, h, d, n));
    float fw, fh, fd;
    Volume.GetDimensions(fw, fh, fd);
    Bytes.GetDimensions(n);
    put(float4(fw, fh, fd, n));                                         // 45

    // Writes: whole texels, parts of them, atomics.
    Canvas[uint2(0, 0)] = float4(1, 0.6, 0, 1);
    Canvas[uint2(1, 0)].yw = float2(1, 0.2);
    Canvas[uint2(1, 0)][w - w] += 0.4;
    put(Canvas.Load(int2(1, 0)) * 255);
    Fog[uint3(0, 1, 1)] = half4(1, 2, 3, 4);
    put(Fog[uint3(0, 1, 1)]);
    Rows[uint2(2, 1)] -= 5;
    put(Rows[uint2(2, 1)]);
    uint old;
    InterlockedAdd(Tally[uint2(1, 1)], 3);
    InterlockedAdd(Tally[uint2(1, 1)], 4, old);
    InterlockedMax(Tally[uint2(0, 0)], 11);
    int before;
    InterlockedMin(Counters[1], -4, before);
    put(float4(old, Tally[uint2(1, 1)], before, Counters[1]));
    InterlockedCompareExchange(Tally[uint2(0, 1)], 0, 6, old);
    InterlockedExchange(Counters[0], 8, before);
    put(float4(old, Tally[uint2(0, 1)], before, Counters[0]));          // 50
}
