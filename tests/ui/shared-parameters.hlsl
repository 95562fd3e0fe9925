// `groupshared` parameters: the allowed arguments.

groupshared uint Line[4];
groupshared uint Count;
static uint Mine;
RWStructuredBuffer<uint> Out;

void Raise(groupshared uint count) { InterlockedAdd(count, 1); }
void Fill(groupshared uint line[4]) { line[0] = 1; Raise(line[1]); }
uint Look(const groupshared uint count) { return count; }
void Copy(inout uint count) { Raise(count); } //~ ERROR WG0205

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(4, 1, 1)]
void Start(uint thread : SV_GroupIndex)
{
    Fill(Line);
    Raise(Line[thread]);
    Copy(Count);
    Out[thread] = Look(Count);
    Raise(Mine); //~ ERROR WG0205
    Raise(thread); //~ ERROR WG0205
    Raise(Out[0]); //~ ERROR WG0205
    Raise(Count + 1); //~ ERROR WG0205
    Raise(5u); //~ ERROR WG0205
    int other = 0;
    Raise(other); //~ ERROR WG0200
}
