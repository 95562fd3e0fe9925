// Constants that the host sets: outside cbuffers, at places that `packoffset` names, in arrays.

uint First;
float3 Second;
namespace deep { uint Third; }
uint Fourth[2];

cbuffer Placed : register(b0)
{
    uint high : packoffset(c2.y);
    uint2 low : packoffset(c0.z);
};

struct Pair { float2 a; uint b; };
ConstantBuffer<Pair> One : register(b1);

RWStructuredBuffer<uint> Out : register(u7);

[Shader("node")]
[NodeLaunch("thread")]
void Start()
{
    Out[0] = First + uint(Second.z) * 10 + deep::Third * 100;
    Out[1] = Fourth[0] + Fourth[1] * 10;
    Out[2] = high + low.x * 10 + low.y * 100;
    Out[3] = uint(One.a.y) + One.b * 10;
}
