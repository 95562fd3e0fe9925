// Methods that take their level from the derivatives of a quad. Each thread is on a corner of the plane's centre.

Texture2D<float> Plane;
Texture2D<float> Depth;
SamplerState Smooth;
SamplerState Sharp;
SamplerComparisonState Shadow;
RWStructuredBuffer<float4> Out;

struct Record { uint first; };

void look(uint2 corner, uint to)
{
    const float2 at = 0.25 + 0.5 * corner;
    uint status = 9;
    float plain = Plane.Sample(Smooth, at);
    float up = Plane.SampleBias(Smooth, at, 1);
    float down = Plane.SampleBias(Smooth, at, -1);
    float least = Plane.Sample(Smooth, at, int2(0, 0), 1.5);
    Out[to] = float4(plain, up, down, least);
    float lod = Plane.CalculateLevelOfDetail(Smooth, at);
    float far = Plane.CalculateLevelOfDetail(Smooth, at * 8);
    float free = Plane.CalculateLevelOfDetailUnclamped(Smooth, at * 8);
    float sharp = Plane.CalculateLevelOfDetail(Sharp, at * 0.75);
    Out[to + 1] = float4(lod, far, free, sharp);
    float moved = Plane.Sample(Smooth, at, int2(-1, 1), 0, status);
    float resident = CheckAccessFullyMapped(status) ? 1 : 0;
    float compared = Depth.SampleCmp(Shadow, 0.5, 0.6);
    float biased = Depth.SampleCmpBias(Shadow, 0.5, 0.6, 0.5, int2(0, -1));
    Out[to + 2] = float4(moved, resident, compared, biased);
    float level = Plane.SampleLevel(Smooth, 0.5, 1, int2(0, 0), status);
    float grad = Plane.SampleGrad(Smooth, 0.5, float2(0.25, 0), float2(0, 0.25), int2(0, 0), 1.5, status);
    float load = Plane.Load(int3(1, 2, 0), int2(1, 1), status);
    float4 four = Plane.GatherRed(Smooth, 0.5, int2(0, 0), status);
    Out[to + 3] = float4(level, grad, load, four.w) * (CheckAccessFullyMapped(status) ? 1 : 0);
}

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(2, 2, 1)]
[NodeIsProgramEntry]
void squares(DispatchNodeInputRecord<Record> input, uint3 thread : SV_GroupThreadID)
{
    look(thread.xy, input.Get().first + 4 * (thread.y * 2 + thread.x));
}

[Shader("node")]
[NodeLaunch("coalescing")]
[NumThreads(4, 1, 1)]
[NodeIsProgramEntry]
void rows([MaxRecords(1)] GroupNodeInputRecords<Record> input, uint thread : SV_GroupIndex)
{
    look(uint2(thread & 1, thread >> 1), input[0].first + 4 * thread);
}
