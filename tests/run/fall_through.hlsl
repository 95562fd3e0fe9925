// Cases that others fall through to: the threads that fall and those that jump to the label run them together.
StructuredBuffer<int> Given;
RWStructuredBuffer<uint> Out;
groupshared uint Shared;
struct Work { uint unused; };

// `default` in the middle of a chain, and a `break` in a case that falls through.
uint path(int selector)
{
    uint found = 0;
    switch (selector)
    {
    case -1: found += 1;
    case 2:  found += 10; if (selector == 2) break;
    default: found += 100;
    case 7:  found += 1000;
    case 9:  found += 10000; break;
    case 4:  found += 5;
    }
    return found;
}

// A `continue` in a case that falls through; cases of 64 and of 16 bits.
uint steps()
{
    uint found = 0;
    for (uint64_t i = 0; i < 6; i++)
    {
        switch (i)
        {
        case 0: found += 1;
        case 1: if (i == 1) continue; found += 10;
        case 3: found += 100; break;
        default: found += 1000;
        }
        found += 10000;
    }
    return found;
}
uint narrow(int16_t selector)
{
    switch (selector)
    {
    case -3: selector += 1;
    case -2: return 50 - (uint)(int)selector;
    }
    return 1;
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeIsProgramEntry] [NodeDispatchGrid(1, 1, 1)] [NumThreads(4, 1, 1)]
void Start(DispatchNodeInputRecord<Work> work, uint lane : SV_GroupIndex)
{
    uint total = 7, own = 0;
    switch (lane)
    {
    case 0: case 3: own = 100;
    case 1: total = WaveActiveSum(lane); break;
    default: own = 5;
    }
    Out[lane] = total;
    Out[4 + lane] = own;
    switch (lane == 0 ? 1 : 2)
    {
    case 1: Shared = 40;
    default: GroupMemoryBarrierWithGroupSync();
    }
    Out[8 + lane] = Shared + lane;
    if (lane == 0)
    {
        for (uint i = 0; i < 6; i++) Out[12 + i] = path(Given[i]);
        Out[18] = steps();
        Out[19] = narrow((int16_t)Given[6]) + 100 * narrow((int16_t)Given[7]);
    }
}
