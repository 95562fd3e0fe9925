// Members of constant buffers where the source puts them.
cbuffer Fine : register(b0)
{
    float3 a : packoffset(c1.y);
    float b : packoffset(c0);
    row_major float1x3 line : packoffset(c2.x);
    float4x4 m : packoffset(c3);
    float list[2] : packoffset(c7);
    float behind : packoffset(c8.y);
    row_major double1x4 doubles : packoffset(c9);
    column_major double4x1 column : packoffset(c11);
}

cbuffer Wrong : register(b1)
{
    float3 crosses : packoffset(c0.z);      //~ ERROR WG0131
    float2x2 inside : packoffset(c2.y);     //~ ERROR WG0131
    float pair[2] : packoffset(c6);
    float over : packoffset(c7);            //~ ERROR WG0131
    float none;                             //~ WARN WG0133
    float spelled : packoffset(b3);         //~ ERROR WG0131
}

RWStructuredBuffer<float> Out;
struct Item { uint value; };

[Shader("node")] [NodeLaunch("thread")]
void Start(ThreadNodeInputRecord<Item> input)
{
    Out[0] = a.x + b + line[0][1] + m[1][2];
}
