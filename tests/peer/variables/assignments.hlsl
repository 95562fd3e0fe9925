// Assignments that nothing reads, names that hide others, and values that several variables share.
[[vk::binding(0)]] RWStructuredBuffer<uint> Marks;
[[vk::binding(1)]] RWStructuredBuffer<uint> Out;
[[vk::binding(2)]] StructuredBuffer<uint> In;
#define MARK InterlockedAdd(Marks[0], 1u)

static uint Counter = 3;

uint dead(uint n) {
    uint x = n;
    MARK; // x=4
    x = n * 2;
    MARK; // x=8
    x = 5;
    MARK; // x=5
    x = n + 1;
    uint y = x;
    x = 0;
    MARK; // x=0 y=5
    y = y;
    x = y;
    y = 1;
    MARK; // x=5 y=1
    return x;
}

uint hidden(uint n) {
    uint x = n;
    {
        uint x = n + 10;
        MARK; // n=4
        x += 1;
        n = x;
        {
            float x = 2.5;
            MARK; // n=15
        }
    }
    MARK; // x=4 n=15
    for (uint x = 0; x < 2; ++x) {
        uint n = x * 7;
        MARK;
        n = 3;
    }
    MARK; // x=4 n=15
    return x + n;
}

uint swapped(uint n) {
    uint a = n;
    uint b = n + 1;
    for (uint i = 0; i < 3; ++i) {
        MARK; // a=4|5|4 b=5|4|5
        uint t = a;
        a = b;
        b = t;
    }
    MARK; // a=5 b=4
    return a * 10 + b;
}

float numbers(uint n) {
    float f = n;
    f *= 0.5;
    MARK; // f=2.0
    int s = -int(n);
    bool b = s < 0;
    MARK; // s=-4 b=1
    b = !b;
    f = b ? f : 1.5;
    MARK; // b=0 f=1.5
    return f + s;
}

uint counter() {
    uint old = Counter;
    Counter += 2;
    MARK; // old=3|5
    return old;
}

[numthreads(1, 1, 1)]
void main() {
    uint four = In[4];
    uint a = dead(four) + hidden(four);
    MARK; // four=4 a=24
    uint b = swapped(four);
    MARK; // b=54
    a = counter();
    a = counter();
    MARK; // a=5
    Out[0] = a + b;
    Out[1] = asuint(numbers(four));
}
