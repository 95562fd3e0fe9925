// Before HLSL 2021 the variables of a `for` live on in the block around it, and the latest of a name is meant.

struct Rec { uint base; };

RWStructuredBuffer<uint> Out;

uint Last(uint n)
{
    for (uint i = 1; i < n; i *= 2) {}
    return i;
}

[Shader("node")]
[NodeLaunch("thread")]
void Start(ThreadNodeInputRecord<Rec> input)
{
    uint base = input.Get().base;
    // Used after the loop, and by the next one.
    for (uint i = 0; i < base; i++) Out[0] += i;
    Out[1] = i;
    for (i = 10; i < 13; i++) Out[2] += i;
    Out[3] = i;
    // Declared again, with the same type and with another one.
    for (uint i = 0; i < 2; i++) {}
    Out[4] = i;
    for (float i = 0.5; i < 2; i += 1) {}
    Out[5] = asuint(i);
    // In place of a variable of the block, and of one outside it.
    uint k = 77;
    for (uint k = 3; k < 6; k++) {}
    Out[6] = k;
    uint m = 50;
    {
        for (uint m = 0; m < 4; m++) {}
        Out[7] = m;
    }
    Out[8] = m;
    // Not in place of those of the body.
    for (uint a = 0, b = 9; a < b; a++, b--) { uint m = a; Out[9] += m; }
    Out[10] = m;
    Out[11] = a * 16 + b;
    Out[12] = Last(20);
    // A statement without braces is a block of its own.
    if (base > 2) for (uint m = 0; m < 8; m++) {}
    Out[13] = m;
    // Each iteration of the outer loop starts with new variables.
    for (uint j = 0; j < 3; j++) { for (uint n = j; n < 5; n++) {} Out[14] += n * 10 + j; }
}
