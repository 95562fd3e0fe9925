// Wrong uses of heaps: as variables, as separate objects, as lvalues, as each other.
Texture2D<float4> Bound;
RWStructuredBuffer<uint> Out;
static Texture2D<float4> FromSamplers = SamplerDescriptorHeap[0]; //~ ERROR WG0200

[Shader("node")] [NodeLaunch("thread")] void mistakes()
{
    let element = ResourceDescriptorHeap[1]; //~ ERROR WG0200
    let heap = ResourceDescriptorHeap; //~ ERROR WG0200
    float number = ResourceDescriptorHeap[1]; //~ ERROR WG0200
    SamplerState state = ResourceDescriptorHeap[1]; //~ ERROR WG0200
    ResourceDescriptorHeap[1].Store(0, 1); //~ ERROR WG0204
    Bound = ResourceDescriptorHeap[1]; //~ ERROR WG0205
    ResourceDescriptorHeap = ResourceDescriptorHeap; //~ ERROR WG0205
    Texture2D<float4> by_float = ResourceDescriptorHeap[float2(1, 2)]; //~ ERROR WG0200
}

[Shader("node")] [NodeLaunch("thread")] void right()
{
    RWStructuredBuffer<uint> buffer = ResourceDescriptorHeap[1.0];
    buffer[0] = ((ByteAddressBuffer)ResourceDescriptorHeap[2]).Load(0);
}
