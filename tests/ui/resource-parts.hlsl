// Structures of resources that the host sets: their allowed members and their allowed declarations.

struct Pair { Texture2D<float4> map; SamplerState filter; };
struct Mixed { Texture2D<float4> map; float scale; };

Pair Right : register(t0, space1) : register(s1, space1);
Mixed Wrong; //~ ERROR WG0116
Mixed Several[2]; //~ ERROR WG0116
Pair Many[5000]; //~ ERROR WG0116
Pair Writable : register(u0); //~ ERROR WG0113
Pair Twice : register(t5) : register(t6); //~ ERROR WG0113
Pair Unsized[]; //~ ERROR WG0116
Pair First : register(t8) : register(s9);
Texture2D<float4> Second : register(t8);

cbuffer Constants : register(b20)
{
    float scale;
    Mixed inside; //~ ERROR WG0116
};

RWStructuredBuffer<float4> Out : register(u30);

void Assign(inout Texture2D<float4> map) { map = Second; }
float4 Take(inout Pair pair) { return pair.map.SampleLevel(pair.filter, 0, 0); }

[Shader("node")] [NodeLaunch("thread")]
void Start()
{
    Right.map = Second; //~ ERROR WG0205
    Pair copy = Right;
    copy.map = Second;
    Out[0] = Take(copy) * scale;
    Out[1] = Take(Right); //~ ERROR WG0205
    Out[2] = Right.missing; //~ ERROR WG0204
}

[Shader("node")] [NodeLaunch("thread")]
void Assigned()
{
    Assign(Right.map); //~ ERROR WG0205
}
