// Wave operations in cases with several labels: all lanes of the case take part.
RWStructuredBuffer<uint> Out;
struct Work { uint unused; };

uint sum(uint value) { return WaveActiveSum(value); }

[Shader("node")] [NodeLaunch("broadcasting")] [NodeIsProgramEntry] [NodeDispatchGrid(1, 1, 1)] [NumThreads(4, 1, 1)]
void Start(DispatchNodeInputRecord<Work> work, uint lane : SV_GroupIndex)
{
    uint direct = 0, called = 0, nested = 0, rest = 0;
    switch (lane)
    {
    case 0: case 3: case 1: direct = WaveActiveSum(lane + 1); break;
    default: direct = 100 + lane;
    }
    switch ((int)lane - 2)
    {
    case -2: case 1: called = sum(lane + 10); break;
    case -1: case 0: called = sum(lane + 20); break;
    }
    switch (lane & 1)
    {
    case 0:
        switch (lane) { case 0: case 2: nested = WaveActiveCountBits(true); }
        break;
    case 1: nested = 7; break;
    }
    // Labels next to `default`.
    switch (lane)
    {
    case 2: rest = 5; break;
    case 0: default: rest = WaveActiveMax(lane);
    }
    Out[lane] = direct;
    Out[4 + lane] = called;
    Out[8 + lane] = nested;
    Out[12 + lane] = rest;
}
