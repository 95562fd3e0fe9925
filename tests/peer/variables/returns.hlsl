// Early returns of functions that calls inline.
[[vk::binding(0)]] RWStructuredBuffer<uint> Marks;
[[vk::binding(1)]] RWStructuredBuffer<uint> Out;
[[vk::binding(2)]] StructuredBuffer<uint> In;
#define MARK InterlockedAdd(Marks[0], 1u)

uint early(uint a) {
    uint x = a + 1;
    MARK; // x=2|6|9
    if (a < 3)
        return x;
    x *= 2;
    MARK; // x=12|18
    if (a > 6) {
        x = 1;
        MARK; // x=1
        return a;
    }
    x += a;
    MARK; // x=17
    return x;
}

uint in_loop(uint n) {
    uint x = 0;
    for (uint i = 0; i < 5; ++i) {
        x = i * n;
        MARK; // x=0|2|4|0|5 i=0|1|2|0|1
        if (x > 3)
            return x;
    }
    return 0;
}

uint in_switch(uint n) {
    uint x = n * 10;
    switch (n) {
    case 1:
        x = 3;
        return x;
    case 2:
        x = 4;
        MARK; // x=4
        break;
    default:
        return x + 1;
    }
    MARK; // x=4
    return x;
}

[numthreads(1, 1, 1)]
void main() {
    uint sum = 7;
    sum += early(In[1]);
    MARK; // sum=9
    sum += early(In[5]);
    MARK; // sum=26
    sum += early(In[8]);
    MARK; // sum=34
    sum += in_loop(In[2]) + in_loop(In[5]);
    MARK; // sum=43
    sum += in_switch(In[1]);
    sum += in_switch(In[2]);
    sum += in_switch(In[3]);
    MARK; // sum=81
    Out[0] = sum;
}
