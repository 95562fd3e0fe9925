// Code that the grammar accepts and the language does not, or that only seems to be right.
RWStructuredBuffer<float> Wrong : registers(u3);        //~ ERROR WG0010
RWStructuredBuffer<float> Wronger : regster(u4);        //~ ERROR WG0010
RWStructuredBuffer<float> Strange : PLACE(u5);          //~ ERROR WG0010
cbuffer Numbers
{
    float4 first : packofset(c0);                       //~ ERROR WG0010
};
RWStructuredBuffer<uint> Out;
RWTexture2D<float4> Target;
Texture2D<float4> Source;
Texture2DArray<float4> Layers;
StructuredBuffer<float4> List;

float indices(uint i, uint3 id)
{
    Target[i] = 0;                                      //~ ERROR WG0200
    Target[id] = 0;                                     //~ ERROR WG0200
    float4 sum = Source[id] + Source.mips[0][i];        //~ ERROR WG0200 ERROR WG0200
    sum += Layers[id.xy] + List[id];                    //~ ERROR WG0200 ERROR WG0200
    sum += Source[id.xy] + Source.mips[1][id.xy] + Layers[id] + List[1.5] + Source[float2(1, 2)];
    return sum.x;
}

void twice(out out uint x) { x = 1; }                   //~ ERROR WG0112
void once(in out uint x, inout uint y) { x += y; }

void operators(uint i, double d)
{
    bool truth = i > 2;
    truth += i;                                         //~ ERROR WG0207
    truth <<= 1;                                        //~ ERROR WG0207
    truth |= i > 3;
    truth = d % 2.0L > 1;                               //~ ERROR WG0207
    d %= 2;                                             //~ ERROR WG0207
    float rest = 5.5 % 2;
    Out[0] = asuint(WaveActiveBitAnd((float)i));        //~ ERROR WG0203
    Out[1] = WaveActiveBitOr(i) + WaveActiveBitXor((int)i);
}

float most(float a, float b) { return max(a, b); }
int most(int a, int b) { return max(a, b); }
uint most(uint a, uint b) { return max(a, b); }
float fits(float x)
{
    // The two literals cost nothing as `int`, nothing as `uint`, and more than `x` as `float`.
    return most(x, 0) + most(x, 0.0f);                  //~ ERROR WG0202
}

[Shader("node")] [NodeLaunch("thread")] void keeps_the_program_from_being_empty() { }
