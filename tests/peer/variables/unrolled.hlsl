// Loops that become statements.
[[vk::binding(0)]] RWStructuredBuffer<uint> Marks;
[[vk::binding(1)]] RWStructuredBuffer<uint> Out;
[[vk::binding(2)]] StructuredBuffer<uint> In;
#define MARK InterlockedAdd(Marks[0], 1u)

uint three(uint n) {
    uint product = 1;
    [unroll]
    for (uint i = 0; i < 3; ++i) {
        uint factor = n + i;
        MARK; // i=0|1|2 factor=2|3|4 product=1|2|6
        product *= factor;
        factor = 0;
    }
    MARK; // product=24
    return product;
}

uint left(uint n) {
    uint x = 7;
    uint sum = 0;
    [unroll]
    for (uint i = 0; i < 4; ++i) {
        if (i == 1)
            continue;
        MARK; // x=7|0|5 i=0|2|3
        x = i;
        sum += n;
        if (sum > 8)
            break;
        x = i * 2 + 1;
        MARK; // x=1|5 sum=3|6
        x = i == 0 ? 0 : 5;
    }
    MARK; // x=3 sum=9
    return sum;
}

uint array(uint n) {
    uint list[3];
    [unroll]
    for (uint i = 0; i < 3; ++i)
        list[i] = n * i;
    MARK; // list[0]=0 list[1]=5 list[2]=10
    uint sum = 0;
    [unroll]
    for (int j = 2; j >= 0; --j) {
        sum += list[j];
        list[j] = 1;
        MARK; // j=2|1|0 sum=10|15|15 list[2]=1 list[1]=5|1|1 list[0]=0|0|1
    }
    return sum;
}

[numthreads(1, 1, 1)]
void main() {
    Out[0] = three(In[2]) + left(In[3]) + array(In[5]);
}
