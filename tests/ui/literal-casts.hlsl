// Casts of bits convert nothing but literals.
static const int K = 3;
RWStructuredBuffer<uint> Out;
RWStructuredBuffer<float> Floats;

[Shader("compute")] [NumThreads(1, 1, 1)]
void Main()
{
    Out[0] = asuint16(1u); //~ ERROR WG0203
    Out[1] = asuint16(Out[9]); //~ ERROR WG0203
    Out[2] = asint16(1.0f); //~ ERROR WG0203
    Out[3] = asuint16(true); //~ ERROR WG0203
    Out[4] = asint16(K); //~ ERROR WG0203
    Out[5] = asuint16(1l); //~ ERROR WG0203
    Out[6] = asuint16(int2(1, 2)).x; //~ ERROR WG0203
    Floats[0] = asfloat16(Floats[1]); //~ ERROR WG0203
    Out[7] = asuint(1ull); //~ ERROR WG0201
    Out[8] = asuint(1.5l); //~ ERROR WG0201
    Out[9] = asuint16(1) + asint16(2.5) + asuint(1) + asuint(0.5);
}
