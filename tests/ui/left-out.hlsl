// Code that a constant condition leaves out is not used: features that are off cost nothing and break no rule.

static const bool Shared = false;
static const uint Mode = 2;
groupshared uint Huge[9000];
groupshared uint Small;

RWStructuredBuffer<uint> Out;
Texture2D<float> Image;
SamplerState Around;
struct R { uint a; };

template<bool InGroup> uint get(uint x)
{
    if (InGroup)
    {
        GroupMemoryBarrierWithGroupSync(); //~ ERROR WG0226
        return Small;
    }
    return x;
}

uint shared() { return Huge[0]; }

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(8, 1, 1)]
void Group(uint i : SV_GroupIndex)
{
    if (Shared)
        Huge[i] = 1;
    Out[i] = get<true>(i) + (Shared ? shared() : 0);
    while (Shared)
        Huge[i] += shared();
}

[Shader("node")]
[NodeLaunch("thread")]
void Thread([MaxRecords(1)] NodeOutput<R> Next)
{
    Out[0] = get<false>(1);
    if (!Shared || Small == 1)
        Out[1] = Shared && Small == 2;
    else
        Next.GetGroupNodeOutputRecords(1).OutputComplete();
    switch (Mode)
    {
        case 1:
            Small = 3;
        case 2:
            Out[2] = 1;
            break;
        case 3:
            Out[3] = Image.Sample(Around, 0.5);
            break;
        default:
            Small = 4;
    }
}

[Shader("node")]
[NodeLaunch("thread")]
void Next(ThreadNodeInputRecord<R> input)
{
    for (uint n = 0; Mode == 1; ++n)
        Small += n;
}

[Shader("node")]
[NodeLaunch("thread")]
void Wrong() //~ ERROR WG0333
{
    // The first label's text continues into the chosen case, not vice versa.
    switch (Mode)
    {
        case 2:
        case 3:
            Small = 1;
            break;
        default:
            Out[0] = Huge[0];
    }
    Out[1] = get<true>(2);
}
