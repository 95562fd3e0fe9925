// Templates of variables: partial and full specialisations, values, other namespaces, members of structures.
RWStructuredBuffer<uint> Out : register(u0);

template<class, class> static const bool is_same_v = false;
template<class T> static const bool is_same_v<T, T> = true;

template<typename T> static const uint bits = sizeof(T) * 8;
template<> static const uint bits<bool> = 1;

template<uint N> static const uint factorial = N * factorial<N - 1>;
template<> static const uint factorial<0> = 1;

template<typename T, uint N = 2> static const T first[N] = { T(N), T(N + 1) };
template<typename T> static const float scale = 0.5;
template<typename T, uint N> static const float scale<vector<T, N> > = N * scale<T>;
// Another type than that of the template.
template<> static const int scale<int> = -3;

namespace a {
static const uint base = 100;
template<typename T> static const uint tagged = base + bits<T>;
}
using namespace a;

struct Holder {
    static const uint base = 7;
    template<typename T> static const uint inside = base * sizeof(T);
};

// One variable for each instance and each thread.
template<typename T> static uint counter = 10;
template<typename T> void count() { counter<T> += sizeof(T); }

template<typename T> uint kind() { return is_same_v<T, float> ? 1 : is_same_v<T, uint> ? 2 : 3; }
template<uint N> struct Sized { uint data[N]; };
template<typename T> static const uint dead = T::nothing;

uint which(float x) { return 1; }
uint which(int x) { return 2; }

[Shader("compute")]
[numthreads(1, 1, 1)]
void main() {
    count<uint>();
    count<uint>();
    count<uint2>();
    Out[0] = is_same_v<int, bool> * 10 + is_same_v<int, int>;
    Out[1] = bits<float3> * 10 + bits<bool>;
    Out[2] = factorial<5>;
    Out[3] = first<uint>[1] * 10 + uint(first<float, 2>[0]);
    Out[4] = uint(scale<float3> * 100);
    Out[5] = which(scale<int>) * 10 + which(scale<float>);
    Out[6] = tagged<uint> + a::tagged<double>;
    Out[7] = Holder::inside<uint2>;
    Out[8] = counter<uint> * 100 + counter<uint2>;
    Out[9] = kind<float>() * 100 + kind<uint>() * 10 + kind<bool>();
    Out[10] = sizeof(Sized<bits<bool> + 1>) + sizeof(Sized<factorial<3> >);
    Out[11] = bits<uint> < bits<double> ? 1 : 2;
}
