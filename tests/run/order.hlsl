// The order of evaluation, and expressions that are not evaluated at all.

RWStructuredBuffer<uint> Out;

static uint Trace;
uint note(uint digit) { Trace = Trace * 10 + digit; return digit; }
void both(out uint a, out uint b) { a = 3; b = a + 4; }
void add(inout uint a, inout uint b) { a += 10; b += 100; }

[Shader("node")]
[NodeLaunch("thread")]
void Main()
{
    uint list[4] = { 0, 0, 0, 0 };
    // The right side first: the place is found with the new index.
    uint i = 0;
    list[i] = i++;
    Out[0] = list[0] * 10 + list[1] + i * 100;
    i = 1;
    list[i] += 5 * ++i;
    Out[1] = list[1] * 100 + list[2];
    Trace = 0;
    list[note(1)] = note(2);
    list[note(3)] += note(4);
    Out[2] = Trace;
    // The result of an assignment can be assigned to; the assignment on the right is done first.
    uint a, b;
    a = b = 7;
    (a += 2) *= 3;
    Out[3] = a * 10 + b;
    // One variable for two parameters: both are copied in, and the last one copied out stays.
    uint same = 1;
    both(same, same);
    Out[4] = same;
    same = 1;
    add(same, same);
    Out[5] = same;
    // The untaken side of a choice does nothing; `select` evaluates both.
    Trace = 0;
    uint taken = Out[3] != 0 ? note(5) : note(6);
    bool never = Out[3] == 0 && note(7) != 0;
    uint2 chosen = select(uint2(1, 0) == 1, note(8), note(9));
    Out[6] = Trace;
    Out[7] = chosen.x * 10 + chosen.y + taken * 100 + (never ? 1000 : 0);
    // Counts of shifts are taken modulo the width.
    uint count = 33 + Out[20];
    Out[8] = (1u << count) + (0x80u >> (count + 1)) * 10;
}
