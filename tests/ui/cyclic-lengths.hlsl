// The length of a member depends on the members of its own constant buffer, whose offsets depend on the length.
struct Pair { float a; float b; };

cbuffer Itself : register(b0)
{
    float first;
    float list[list[0]]; //~ ERROR WG0108
};

cbuffer Others : register(b1)
{
    Pair pairs[pairs[2].a]; //~ ERROR WG0108
    vector<float, wide.x> wide; //~ ERROR WG0108
};

RWStructuredBuffer<float> Out;

[Shader("node")]
[NodeLaunch("thread")]
void Start()
{
    Out[0] = first;
}
