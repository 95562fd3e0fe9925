// A vector that is deduced matches vectors of the written parts alone; other arguments take the plain functions.

RWStructuredBuffer<uint> Out;

template<typename T, int N> uint f(vector<T, N> a) { return 10 + N; }
uint f(float a) { return 2; }
template<typename T> uint g(vector<T, 2> a) { return 1; }
uint g(uint a) { return 2; }
template<int N> uint h(vector<float, N> a) { return 1; }
uint h(uint a) { return 2; }

[NumThreads(1, 1, 1)]
void Main(uint3 id : SV_DispatchThreadID)
{
    int i = (int)id.x;
    Out[0] = f(i);
    Out[1] = f(i == 0);
    Out[2] = f(id.xy);
    Out[3] = f((int1)i);
    Out[4] = g((float4)i);
    Out[5] = g((float2)i);
    Out[6] = h(id.xy);
    // Written arguments deduce nothing, so the argument converts.
    Out[7] = f<float, 3>(i);
}
