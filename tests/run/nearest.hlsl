// Functions that are nearer in one argument and farther in another: the loss of all conversions together decides, as in DXC.
// Methods of bases next to those of the derived structure.
struct Start { uint2 size; };
RWStructuredBuffer<int> Out;

int rounded(in int a, in int b) { return (a + b - 1) / b; }
int2 rounded(in int2 a, in int2 b) { return (a + b - 1) / b; }

// Cutting a vector is worse than any change of its components; a number of another kind is worse than a wider one.
int cut(float3 a, float b) { return 1; }
int cut(int2 a, int b) { return 2; }
int kind(float a, double b) { return 1; }
int kind(int a, float b) { return 2; }

template<typename T>
struct Base
{
    T value;
    T get() { return value; }
    T get(T more) { return value + more; }
    int operator[](uint i) { return value * (int)i; }
};
struct Derived : Base<int>
{
    using Base<int>::get;
    using Base<int>::operator[];
    int get(int a, int b) { return get(a) * b; }
    int get(int more) { return value - more; }
    int operator[](float2 at) { return (int)(at.x + at.y); }
};
struct Hiding : Base<int>
{
    int get(int a, int b) { return a * b; }
};
template<typename T>
struct Deep : Derived
{
    using Derived::get;
    T get(T a, T b, T c) { return get(a, b) + c + get(); }
};

[Shader("node")]
[NodeLaunch("thread")]
void Main(ThreadNodeInputRecord<Start> input)
{
    uint2 size = input.Get().size;
    int2 groups = rounded(size, 8);
    Out[0] = groups.x;
    Out[1] = groups.y;
    Out[2] = cut((int3)1, 1);
    Out[3] = kind((int)size.x, 2.5f);
    Derived d;
    d.value = 10;
    Out[4] = d.get();
    Out[5] = d.get(3);
    Out[6] = d.get(2, 5);
    Out[7] = d[4u];
    Out[8] = d[float2(1, 2)];
    Hiding h;
    h.value = 3;
    Out[9] = h.get(2, 5);
    Deep<int> deep;
    deep.value = 4;
    Out[10] = deep.get(1, 2, 100);
}
