// Structures and arrays, split into parts or kept whole.
[[vk::binding(0)]] RWStructuredBuffer<uint> Marks;
[[vk::binding(1)]] RWStructuredBuffer<uint> Out;
[[vk::binding(2)]] StructuredBuffer<uint> In;
#define MARK InterlockedAdd(Marks[0], 1u)

struct Inner {
    uint a;
    int2 b;
};

struct Outer {
    uint n;
    Inner inner;
    bool flag;
    uint list[3];
    uint sum() {
        MARK; // this.n=4 this.inner.a=2
        return n + inner.a;
    }
};

Outer filled(uint n) {
    Outer o;
    o.n = n;
    o.inner.a = 2;
    o.inner.b = int2(n, -1);
    o.flag = n > 3;
    o.list[0] = 1;
    o.list[1] = n * 2;
    o.list[2] = 5;
    MARK; // o.n=4 o.inner.b.0=4 o.flag=1 o.list[1]=8
    return o;
}

uint changed(Outer o, uint k) {
    o.list[1] = 6;
    MARK; // o.list[1]=6 o.list[2]=5
    if (k > 1)
        o.inner.b.y = k;
    MARK; // o.inner.b.1=2 o.inner.a=2
    Inner copy = o.inner;
    o.inner.a = 50;
    MARK; // copy.a=2 copy.b.1=2 o.inner.a=50
    return copy.a + copy.b.y + o.list[1];
}

uint indexed(uint k) {
    uint list[4] = { 1, 2, 3, 4 };
    list[k] = 9;
    MARK; // list[0]=1 list[2]=9
    uint sum = 0;
    for (uint i = 0; i < 4; ++i) {
        sum += list[i];
        list[i] = sum;
        MARK; // list[0]=1 list[1]=2|3|3|3 list[2]=9|9|12|12 list[3]=4|4|4|16 sum=1|3|12|16
    }
    list[k] = 0;
    MARK; // list[2]=0 list[3]=16
    return sum;
}

uint vectors(uint k) {
    uint3 v = uint3(k, 2, 3);
    MARK; // v.0=2 v.2=3
    v.yz = v.zx;
    MARK; // v.1=3 v.2=2
    v[k] = 8;
    MARK; // v.1=3 v.2=8
    uint2x2 m = { 1, 2, 3, k };
    m[1] = m[0];
    MARK;
    return v.x + v.z + m[1][1];
}

[numthreads(1, 1, 1)]
void main() {
    Outer o = filled(In[4]);
    MARK; // o.n=4 o.inner.a=2 o.list[2]=5
    uint r = o.sum() + changed(o, In[2]);
    MARK; // r=16 o.inner.a=2 o.list[1]=8
    Outer other = o;
    o.n = 77;
    o.list[0] += r;
    MARK; // other.n=4 o.n=77 o.list[0]=17 other.list[0]=1
    Out[0] = r + other.n + o.list[0];
    Out[1] = indexed(In[2]) + vectors(In[2]);
}
