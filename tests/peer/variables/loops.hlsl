// Loops: counted, left early, and with variables that no later iteration reads.
[[vk::binding(0)]] RWStructuredBuffer<uint> Marks;
[[vk::binding(1)]] RWStructuredBuffer<uint> Out;
[[vk::binding(2)]] StructuredBuffer<uint> In;
#define MARK InterlockedAdd(Marks[0], 1u)

uint counted(uint n) {
    uint sum = 0;
    for (uint i = 0; i < n; ++i) {
        uint square = i * i;
        MARK; // i=0|1|2|3 square=0|1|4|9 sum=0|0|1|5
        sum += square;
    }
    MARK; // sum=14
    return sum;
}

uint left(uint n) {
    uint last = 100;
    uint sum = 0;
    for (uint i = 0; i < 8; ++i) {
        if (i == 1) {
            last = 50;
            continue;
        }
        MARK; // last=100|50|2 sum=0|0|2
        last = i;
        sum += i;
        if (sum > n)
            break;
        MARK; // last=0|2 sum=0|2
    }
    MARK; // last=3 sum=5
    return sum;
}

// `x` is set in each iteration and not read.
uint unread(uint n) {
    uint x = 9;
    uint sum = 0;
    for (uint i = 0; i < n; ++i) {
        MARK; // x=9|0|5
        x = 77;
        sum += i * 3;
        MARK; // x=77
        x = i * 5;
    }
    MARK; // x=10
    return sum;
}

uint declared_inside(uint n) {
    uint sum = 0;
    for (uint i = 0; i < n; ++i) {
        uint x = i + 1;
        MARK; // x=1|2
        x *= 10;
        sum += x;
        MARK; // x=10|20
        x = 3;
    }
    return sum;
}

uint step(inout uint i) {
    MARK; // i=0|2|4
    i += 2;
    MARK; // i=2|4|6
    return i;
}

uint steps(uint n) {
    uint x = 1;
    uint sum = 0;
    for (uint i = 0; i < n; x = step(i)) {
        sum += x;
        MARK; // i=0|2|4 x=1|2|4 sum=1|3|7
    }
    MARK; // x=6 sum=7
    return sum;
}

uint at_end(uint n) {
    uint i = 0;
    uint x = 5;
    do {
        x = n - i;
        MARK; // x=4|3|2 i=0|1|2
        ++i;
    } while (x > 2);
    MARK; // x=2 i=3
    uint y = 1;
    while (y < n) {
        y *= 2;
        x += y;
    }
    MARK; // y=4 x=8
    return x;
}

uint nested(uint n) {
    uint count = 0;
    for (uint i = 0; i < n; ++i) {
        uint inner = 0;
        for (uint j = i; j < n; ++j) {
            if (j == 2)
                break;
            inner += j;
            ++count;
        }
        MARK; // i=0|1|2 inner=1|1|0 count=2|3|3
    }
    return count;
}

[numthreads(1, 1, 1)]
void main() {
    Out[0] = counted(In[4]) + left(In[3]) + unread(In[3]) + declared_inside(In[2]);
    Out[1] = steps(In[5]) + at_end(In[4]) + nested(In[3]);
}
