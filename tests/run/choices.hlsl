// Choices of resources and elements: indexes of every kind that differ between threads, samplers that constants choose. Also
// loads that report whether the memory is there, and a barrier on buffers that grow and shrink.

struct Item { uint id; uint weight; };

Texture2D<float> Plane;
SamplerState Around;
SamplerState Edge;
SamplerComparisonState Below;
SamplerComparisonState Above;
StructuredBuffer<uint> Inputs[3];
StructuredBuffer<Item> Items;
RWStructuredBuffer<Item> Spare;
AppendStructuredBuffer<uint> Bin;
ConsumeStructuredBuffer<uint> Source;
RWStructuredBuffer<uint> Out;

static const bool WRAP = true;

float Sampled(SamplerState s)
{
    return Plane.SampleLevel(s, float2(1.25, 0.25), 0);
}

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(4, 1, 1)]
void Start(uint thread : SV_GroupIndex)
{
    Out[thread] = Inputs[NonUniformResourceIndex((int)(thread % 3))][0];        // 5 6 7 5
    Out[4 + thread] = Inputs[NonUniformResourceIndex(thread * 0.75)][0];        // 5 5 6 7
    int2 pair = NonUniformResourceIndex(int2(thread / 2, 1));
    Out[8 + thread] = Inputs[pair.x + pair.y][0];                               // 6 6 7 7
    uint taken = Source.Consume();
    Barrier(Source, GROUP_SYNC | DEVICE_SCOPE);
    Bin.Append(taken * 2);
    Barrier(Bin, GROUP_SYNC | DEVICE_SCOPE);
    if (thread == 0)
    {
        Out[12] = (uint)(Sampled(select(WRAP, Around, Edge)) * 12);                                   // 3
        Out[13] = (uint)(Sampled(select(!WRAP, Around, Edge)) * 10);                                  // white
        Out[14] = (uint)Plane.SampleCmpLevelZero(select(WRAP, Below, Above), float2(0.25, 0.25), 0.125);
        uint status = 9;
        Out[15] = Items.Load(1, status).id * 10 + CheckAccessFullyMapped(status);
        status = 9;
        Out[16] = Spare.Load(0, status).weight * 10 + CheckAccessFullyMapped(status);
        Spare[0].weight = 8;
        Out[17] = Spare.Load(0, status).weight;
    }
}
