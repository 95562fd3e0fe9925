// Resources that have one register: unused ones do not matter, buffers are one buffer, others move.
cbuffer PassA : register(b3) { float4 colour; };
cbuffer PassB : register(b3) { uint count; };
RWStructuredBuffer<uint> Words : register(u0);
RWByteAddressBuffer Bytes : register(u0);                           //~ WARN WG0137
Texture2D<float4> Flat : register(t1);
Texture2D<float2> Narrow : register(t1);                            //~ WARN WG0137
Texture3D<float4> Deep : register(t1);                              //~ WARN WG0132

[Shader("node")]
[NodeLaunch("thread")]
void Node()
{
    Words[0] = Bytes.Load(4) + uint(colour.x);
    Words[1] = uint(Flat[uint2(0, 0)].x + Narrow[uint2(0, 0)].y + Deep[uint3(0, 0, 0)].z);
}
