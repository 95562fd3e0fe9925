//! library
// Returns, jumps and indexes that fit.
RWStructuredBuffer<uint> Out;

void Store(uint value) { Out[0] = value; return; }
uint Fetch() { return Out[0]; }
void Leave(uint value)
{
    for (uint i = 0; i < value; ++i)
    {
        if (i == 3) continue;
        if (i == 5) break;
        Out[i] = value;
    }
}
uint First(uint values[2], uint2 pair) { return values[0] + pair[1]; }

[Shader("node")] [NodeLaunch("thread")]
void Main()
{
    uint values[2] = { 1, 2 };
    Store(First(values, uint2(3, 4)) + Fetch());
    Leave(Fetch());
}
