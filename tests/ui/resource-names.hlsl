// The names of resources: assignments to them, and passing them.

RWStructuredBuffer<uint> Out : register(u0);
StructuredBuffer<uint> A : register(t1);
StructuredBuffer<uint> B : register(t2);
StructuredBuffer<uint> Two[2] : register(t3);
StructuredBuffer<float> Floats[2] : register(t4);
RWTexture2D<uint2> Wide : register(u5);
static const RWStructuredBuffer<uint> Named = Out;

struct Pair { StructuredBuffer<uint> from; RWStructuredBuffer<uint> to; };

void Exchange(inout StructuredBuffer<uint> x, StructuredBuffer<uint> y) { x = y; }
void Through(inout StructuredBuffer<uint> x) { Exchange(x, B); }
void Give(out StructuredBuffer<uint> x) { x = B; }
uint Reads(inout StructuredBuffer<uint> x) { return x[0]; }
uint First(StructuredBuffer<uint> lists[]) { return lists[0][0]; }
uint Numbers(uint numbers[]) { return numbers[0]; }

[Shader("node")] [NodeLaunch("thread")]
void Start()
{
    const RWStructuredBuffer<uint> here = Out;
    here[0] = 1;
    here = Named; //~ ERROR WG0206
    Named = here; //~ ERROR WG0206
    Give(A); //~ ERROR WG0205
    Out[1] = First(Floats); //~ ERROR WG0200
    uint values[2] = { 1, 2 };
    Out[2] = Numbers(values); //~ ERROR WG0200
    Pair wrong = { Out, A }; //~ ERROR WG0200 WG0200
    Pair few = { A }; //~ ERROR WG0212
    InterlockedAdd(Wide[uint2(0, 0)].x, 1); //~ ERROR WG0219
}

[Shader("node")] [NodeLaunch("thread")]
void Assigned()
{
    Out[0] = Reads(A) + Reads(Two[1]);
    StructuredBuffer<uint> mine = A;
    Exchange(mine, B);
    Out[1] = mine[0];
    Through(A); //~ ERROR WG0205
}
