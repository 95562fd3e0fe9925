// Chains of comparisons, which the optimiser turns into switches: early returns, `else if`, breaks out of loops, several
// labels of one value, and values that meet no label.
RWStructuredBuffer<uint> Result : register(u0);

struct Number { uint n; };

uint Returns(uint c)
{
    if (c == 1) return 10;
    if (c == 2) return 20;
    if (c == 3) return 30;
    if (c == 0xffffffff) return 40;
    uint twice = c * 2;
    if (twice == 8) return 50;
    if (twice == 10) return 60;
    if (twice == 12) return 70;
    return c + 1000;
}

uint Nested(int c)
{
    uint found = 5;
    if (c == -1) found += 1;
    else if (c == 0) { if (found == 5) found += 2; }
    else if (c == 1) found += 3;
    else if (c == -1) found += 100;
    else found += uint(c);
    return found * 2;
}

// The `break` leaves the loop, not a switch.
uint Loops(uint c)
{
    uint steps = 0;
    for (uint k = 0; k < 10; ++k) {
        uint at = k + c;
        if (at == 4) break;
        if (at == 7) continue;
        if (at == 9) break;
        steps += 1;
    }
    return steps;
}

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(8, 1, 1)]
void Compare(DispatchNodeInputRecord<Number> input, uint thread : SV_GroupIndex)
{
    uint c = thread == 7 ? 0xffffffff : thread + input.Get().n;
    Result[thread] = Returns(c);
    Result[8 + thread] = Nested(int(thread) - 2);
    Result[16 + thread] = Loops(thread);
}
