// Structures that optimised code keeps in their memory type. A matrix is transposed there, and a `bool` is an integer.
struct Inner {
    uint a;
    uint b;
};

struct Plain {
    Inner inner;
    uint values[2];
};

struct Mixed {
    float2x3 m;
    bool flag;
    uint n;
};

struct Both {
    Plain plain;
    Mixed mixed;
};

[[vk::binding(0)]] RWStructuredBuffer<uint> Marks;
[[vk::binding(1)]] RWStructuredBuffer<Both> Out;
[[vk::binding(2)]] StructuredBuffer<uint> In;
#define MARK InterlockedAdd(Marks[0], 1u)

[numthreads(1, 1, 1)]
void main() {
    Out[0].plain.inner.a = In[1];
    Out[0].plain.inner.b = In[2];
    Out[0].plain.values[0] = In[3];
    Out[0].plain.values[1] = In[4];
    for (uint k = 0; k < 6; ++k) {
        Out[0].mixed.m[k / 3][k % 3] = In[k + 5];
    }
    Out[0].mixed.flag = In[1] == 1;
    Out[0].mixed.n = In[6];
    uint sum = 0;
    for (uint i = 0; i < 2; ++i) {
        Plain plain = Out[0].plain;
        Mixed mixed = Out[0].mixed;
        // Nothing uses a member of these.
        Mixed copy = mixed;
        Plain same = plain;
        MARK; // i=0|1 plain.inner.a=1|19 plain.values[1]=4 mixed.m.0.2=7.0 mixed.n=6 same.inner.a=1|19 same.values[1]=4 copy.m.1.0=8.0
        sum += plain.inner.b + plain.values[i] + (uint)mixed.m[1][0] + mixed.n;
        MARK; // sum=19|39
        plain.inner.a = sum;
        Plain other = plain;
        MARK; // other.inner.a=19|39 other.inner.b=2 plain.inner.a=19|39
        Out[0].plain = other;
        sum += mixed.flag ? 0 : other.inner.a;
    }
    Out[0].mixed.n = sum;
}
