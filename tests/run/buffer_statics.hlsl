// A `static` member of a constant or texture buffer is a separate variable: the members after it do not move.

cbuffer Camera : register(b5)
{
    uint first;
    static const uint NINE = 9;
    uint second;
    static const float4 Wide = float4(1, 2, 3, 4);
    float4 row;
    static uint Written = 40;
    uint sizes[NINE - 7];
};

tbuffer Table : register(t1)
{
    static const uint3 Base = uint3(5, 6, 7);
    uint4 entry;
};

RWStructuredBuffer<uint> Out : register(u0);

[Shader("node")]
[NodeLaunch("thread")]
void Start()
{
    Written += 2;
    Out[0] = first;
    Out[1] = second;
    Out[2] = (uint)row.w;
    Out[3] = sizes[1];
    Out[4] = entry.y;
    Out[5] = NINE;
    Out[6] = (uint)Wide.z;
    Out[7] = Base.y;
    Out[8] = Written;
}
