// Arguments by reference, and copies of them.
[[vk::binding(0)]] RWStructuredBuffer<uint> Marks;
[[vk::binding(1)]] RWStructuredBuffer<uint> Out;
[[vk::binding(2)]] StructuredBuffer<uint> In;
#define MARK InterlockedAdd(Marks[0], 1u)

struct Pair {
    uint a;
    uint b;
};

void both(inout uint x, out uint y) {
    MARK; // x=3|10
    x += 2;
    y = x * 2;
    MARK; // x=5|12 y=10|24
    x = 9;
    if (y > 20) {
        x = 8;
        MARK; // x=8 y=24
        return;
    }
    MARK; // x=9 y=10
    x += y;
}

void swap(inout Pair p) {
    uint a = p.a;
    p.a = p.b;
    MARK; // p.a=2 p.b=2 a=1
    p.b = a;
    MARK; // p.a=2 p.b=1
}

void outer(inout uint x) {
    uint before = x;
    uint y;
    both(x, y);
    MARK; // before=3|10 x=19|8 y=10|24
    x -= before;
}

uint by_value(uint x) {
    x += 1;
    MARK; // x=6
    x *= 2;
    MARK; // x=12
    return x;
}

[numthreads(1, 1, 1)]
void main() {
    uint x = In[3];
    outer(x);
    MARK; // x=16
    uint z = In[10];
    outer(z);
    MARK; // z=-2
    Pair p = { In[1], In[2] };
    swap(p);
    MARK; // p.a=2 p.b=1
    uint five = In[5];
    uint twelve = by_value(five);
    MARK; // five=5 twelve=12
    Out[0] = x + z + p.a * 10 + p.b + five + twelve;
}
