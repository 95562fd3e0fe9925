// Switches, chains of comparisons, and branches that become selects.
[[vk::binding(0)]] RWStructuredBuffer<uint> Marks;
[[vk::binding(1)]] RWStructuredBuffer<uint> Out;
[[vk::binding(2)]] StructuredBuffer<uint> In;
#define MARK InterlockedAdd(Marks[0], 1u)

uint switched(uint n) {
    uint x = 1;
    uint y = n;
    switch (n) {
    case 0:
        x = 10;
        break;
    case 1:
        x = 20;
        MARK; // x=20
        y = 3;
    case 2:
        y += 4;
        break;
    default:
        if (n > 4) {
            x = 5;
            break;
        }
        x = n;
        y = 0;
    }
    MARK; // x=10|20|1|3|5 y=0|7|6|0|6
    return y;
}

uint chained(uint n) {
    uint x = 0;
    uint dead = 4;
    if (n == 1) {
        x = 11;
        dead = 1;
    } else if (n == 2) {
        x = 12;
    } else if (n == 3) {
        x = 13;
        dead = 3;
    } else {
        dead = n;
    }
    MARK; // x=11|12|13|0 dead=1|4|3|7
    return x;
}

uint selected(uint n) {
    uint x = n > 3 ? n * 2 : n + 100;
    MARK; // x=102|10
    uint y = 1;
    uint gone = 0;
    if (n > 3) {
        gone = 6;
        y = x;
    }
    MARK; // y=1|10 gone=0|6
    gone = y + 1;
    if (n < 3)
        y = gone;
    MARK; // y=2|10 gone=2|11
    [flatten]
    if (n == 5) {
        gone = 1;
        y += 3;
        gone = y * 2;
        x = gone;
    }
    MARK; // gone=2|26 y=2|13 x=102|26
    return x + y;
}

[numthreads(1, 1, 1)]
void main() {
    uint sum = 0;
    sum += switched(In[0]);
    sum += switched(In[1]);
    sum += switched(In[2]);
    sum += switched(In[3]);
    sum += switched(In[6]);
    MARK; // sum=19
    sum += chained(In[1]) + chained(In[2]) + chained(In[3]) + chained(In[7]);
    sum += selected(In[2]) + selected(In[5]);
    MARK; // sum=198
    Out[0] = sum;
}
