// No vector of a compute shader crosses a multiple of 16 bytes, since a host need not enable scalarBlockLayout.
struct Ray
{
    float t;
    float2 uv;
};
struct Hit
{
    uint id;
    float w;
    Ray ray;
};
struct Pair
{
    float2 first;
    Ray rays[2];
};
struct Kept
{
    float4 first;
    Ray ray;
    Ray rays[2];
};
struct Nested
{
    float2 first;
    Ray rays[2][2];
};
struct Row
{
    float t;
    float1x2 uv;
};
struct Rows
{
    float2 first;
    Row row;
};
struct Resources
{
    RWStructuredBuffer<Hit> hits;
};
RWStructuredBuffer<Hit> Hits; //~ ERROR WG0142
RWStructuredBuffer<Nested> InArrays; //~ ERROR WG0142
RWStructuredBuffer<Rows> Matrices; //~ ERROR WG0142
Resources InStructure; //~ ERROR WG0142
RWStructuredBuffer<Kept> All;
RWStructuredBuffer<Pair> Unused;
cbuffer Settings
{
    float2 start;
    Ray ray;
};
[[vk::push_constant]] Pair Pushed; //~ ERROR WG0142
groupshared Hit Shared[4];
static Hit Own;

[Shader("compute")] [NumThreads(1, 1, 1)]
void Main(uint3 id : SV_DispatchThreadID)
{
    Shared[id.x] = Hits[id.x];
    Own.ray.uv = Shared[0].ray.uv;
    InArrays[id.x].rays[1][1].t = Matrices[id.x].row.t;
    InStructure.hits[id.x].w = 1;
    All[id.x].ray.uv = Own.ray.uv + All[0].rays[id.x].uv + Pushed.rays[1].uv + ray.uv;
}
