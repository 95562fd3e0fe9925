// Casts between types of 16 bits take literals as `half`; those of 32 bits leave literals unchanged.
RWStructuredBuffer<uint> Out;
RWStructuredBuffer<float> Floats;
RWStructuredBuffer<half> Halves;

cbuffer Packed
{
    uint first : packoffset(c);
    uint second : packoffset(c0.g);
    uint2 pair : packoffset(c0.b);
    uint last : packoffset(c1.a);
    uint third : packoffset(C1.r);
    uint middle : packoffset(c1.y);
}

[Shader("compute")] [NumThreads(1, 1, 1)]
void Main()
{
    Out[0] = asuint16(1);
    Out[1] = asuint16(-2);
    Out[2] = asint16(0.5);
    Out[3] = asint16(3);
    Out[4] = asuint16(1 << 3);
    Out[5] = asint16(1 + 0.5);
    Out[6] = asuint16(70000);
    Out[7] = asuint16(0x3c00);
    Out[8] = asuint16((int16_t)1) + asuint16(1.0h);
    Out[9] = asuint(1);
    Out[10] = asuint(0.5);
    Floats[0] = asfloat16(0x3c00);
    Floats[1] = asfloat16(2.5);
    Floats[2] = asfloat16((uint16_t)0x3c00);
    Halves[0] = asfloat16(3);
    uint low, high;
    asuint(1.5, low, high);
    Out[11] = low + high;
    Out[12] = first + 10 * second + 100 * pair.x + 1000 * pair.y + 10000 * third + 100000 * middle + 1000000 * last;
}
