// Textures of several samples: each sample is written and read separately.

RWTexture2DMS<float4, 4> Wide;
RWTexture2DMSArray<uint, 4> Tally;
Texture2DMS<float> Given;
Texture2DMSArray<int2, 2> Pairs;
RWStructuredBuffer<float4> Out;

struct Record { uint sample; };

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(1, 1, 1)]
[NodeIsProgramEntry]
void main(DispatchNodeInputRecord<Record> input)
{
    const uint which = input.Get().sample;
    Wide[uint2(1, 0)] = float4(1, 2, 3, 4);                     // sample 0
    Wide.sample[which][uint2(1, 0)] = float4(5, 6, 7, 8);
    Wide.sample[which][uint2(1, 0)].y = 9;
    Out[0] = Wide[uint2(1, 0)];
    Out[1] = Wide.Load(int2(1, 0), 2);
    InterlockedAdd(Tally.sample[3][uint3(0, 1, 1)], 5);
    uint old;
    InterlockedAdd(Tally.sample[3][uint3(0, 1, 1)], 2, old);
    Out[2] = float4(old, Tally.Load(int3(0, 1, 1), 3), Tally.sample[2][uint3(0, 1, 1)], 0);
    Out[3] = float4(Given.Load(int2(1, 0), 3), Given.Load(int2(0, 0), which, int2(1, 0)), Given[uint2(1, 0)], Given.sample[1][uint2(0, 0)]);
    Out[4] = float4(Pairs.Load(int3(0, 0, 1), 1), Pairs.sample[0][uint3(0, 0, 0)]);
    uint w, h, n, elements;
    Wide.GetDimensions(w, h, n);
    Out[5] = float4(w, h, n, 0);
    Pairs.GetDimensions(w, h, elements, n);
    Out[6] = float4(w, h, elements, n);
    // Standard positions of 4 and 2 samples, from the centre: sixteenths (6, -2) and (-4, -4).
    Out[7] = float4(Given.GetSamplePosition(1), Pairs.GetSamplePosition(1));
    Out[8] = float4(Wide.GetSamplePosition(4), Tally.GetSamplePosition(-1));
}
