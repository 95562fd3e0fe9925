// Branches that set variables, read afterwards or not.
[[vk::binding(0)]] RWStructuredBuffer<uint> Marks;
[[vk::binding(1)]] RWStructuredBuffer<uint> Out;
[[vk::binding(2)]] StructuredBuffer<uint> In;
#define MARK InterlockedAdd(Marks[0], 1u)

uint merged(uint a) {
    uint x = 1;
    uint y = a * 2;
    if (a > 4) {
        x = a;
        MARK; // x=5 a=5 y=10
        y += x;
    } else {
        y = 7;
        MARK; // x=1 a=3 y=7
    }
    MARK; // x=5|1 y=15|7
    return x + y;
}

// `x` is set and not read: no value of it is left in the code.
void unread(uint a) {
    uint x = 1;
    uint y = a;
    MARK; // x=1
    if (a > 4) {
        x = a + 1;
        y = a * 3;
    }
    MARK; // x=6|1 y=15|3
    Out[1] += y;
}

void read_inside(uint a) {
    uint x = 1;
    uint y = a;
    if (a > 4) {
        x = a + 1;
        y = x * 3;
    }
    MARK; // x=6|1 y=18|3
    Out[2] += y;
}

void nested(uint a) {
    uint x = 10;
    if (a & 1) {
        x = 20;
        if (a & 2) {
            x = 30;
            MARK; // x=30
        } else if (a & 4)
            x = 40;
        MARK; // x=40|30
    }
    MARK; // x=40|30|10
    x = a;
    MARK; // x=5|3|4
}

bool conditions(uint a) {
    uint n = a;
    bool b = (a > 3) && (n-- != 3);
    MARK; // n=4|3
    bool c = a == 5 || ++n > 4;
    MARK; // n=4 c=1|0
    return b && c;
}

[numthreads(1, 1, 1)]
void main() {
    Out[0] = merged(In[5]) + merged(In[3]);
    unread(In[5]);
    unread(In[3]);
    read_inside(In[5]);
    read_inside(In[3]);
    nested(In[5]);
    nested(In[3]);
    nested(In[4]);
    Out[3] = conditions(In[5]) + conditions(In[3]);
}
