// Explicit template arguments of built-in functions, buffers without contents, and buffers in buffers.
struct Empty {};
StructuredBuffer<Empty> nothing; //~ ERROR WG0116
RWStructuredBuffer<Empty> nothings; //~ ERROR WG0116
cbuffer Outer { uint outer; cbuffer Inner { uint inner; } uint last; } //~ ERROR WG0220
static uint unsized[]; //~ ERROR WG0107
RWStructuredBuffer<uint> results;

[Shader("node")] [NodeLaunch("thread")]
void Main()
{
    results[0] = (uint)sqrt<int>(4); //~ ERROR WG0203
    results[1] = asuint<double>(4.0); //~ ERROR WG0201
    results[2] = countbits<float>(3); //~ ERROR WG0203
    results[3] = (uint)abs<bool>(true); //~ ERROR WG0203
    results[4] = (uint)WaveActiveSum<bool>(true); //~ ERROR WG0203
    results[5] = (uint)NonUniformResourceIndex((float2x2)1)[0][0]; //~ ERROR WG0203
    results[6] = (uint)sqrt<float>(4) + countbits<uint>(3) + outer + inner + last;
}
