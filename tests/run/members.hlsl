// Enums of templates, members that are defined outside of their namespace, functions that functions declare.
RWStructuredBuffer<uint> Out : register(u0);

template<uint N> struct Factorial { enum { value = N * Factorial<N - 1>::value }; };
template<> struct Factorial<0> { enum { value = 1 }; };

template<uint M, uint N> struct Ackermann { enum { value = Ackermann<M - 1, Ackermann<M, N - 1>::value>::value }; };
template<uint M> struct Ackermann<M, 0> { enum { value = Ackermann<M - 1, 1>::value }; };
template<uint N> struct Ackermann<0, N> { enum { value = N + 1 }; };
template<> struct Ackermann<0, 0> { enum { value = 1 }; };

template<uint N> struct Sized {
    enum Parts { count = N * 2, mask = count - 1 };
    enum class Mode : uint { Low = N, High };
    static const uint all = count + mask;
    uint data[count];
    Mode mode;
    uint high() { return mode == Mode::High ? uint(Mode::High) : 0; }
};
// Each instance has enums of its own.
uint which(Sized<1>::Mode m) { return 10 + uint(m); }
uint which(Sized<2>::Mode m) { return 20 + uint(m); }
template<uint N> uint through(Sized<N> s) { return which(s.mode) + N; }

struct Plain {
    static const uint base = 5;
    enum { First = base, Second };
};

template<uint N> struct Around {
    static const uint K = N + 1;
    enum { E = K * 2 };
    static uint s() { return 5; }
    uint field;
    struct Inside {
        uint data[E];
        uint get() { return K * 100 + E * 10 + s(); }
        struct Deeper { uint get() { return K; } };
        Deeper deeper;
    };
    Inside inside;
};

namespace a {
static uint x = 3;
static const uint K = 4;
struct Q { uint z; };
uint h() { return 2; }
uint f();
uint f2(Q q);
struct S { uint m(Q q); static uint hidden(); template<uint N> uint t(); struct Inner { uint n(); }; };
namespace b { uint deep(Q q, uint list[K]); }
template<typename T> struct Wrap { T value; T get(); };
}
static uint x = 100;
uint h() { return 200; }
uint a::f() { return x + h(); }
uint a::f2(Q q) { return q.z * K; }
uint a::S::m(Q q) { Q copy = q; return copy.z + h() + hidden(); }
uint a::S::hidden() { struct Local { uint get() { return x + K; } }; Local local; return local.get(); }
template<uint N> uint a::S::t() { return N + h(); }
uint a::S::Inner::n() { return x * h(); }
uint a::b::deep(Q q, uint list[K]) { return q.z + list[K - 1] + x; }
template<typename T> T a::Wrap<T>::get() { return value + T(h()); }

template<uint N> struct Chosen { uint d[N]; };

uint twice(uint v);
[Shader("compute")]
[numthreads(1, 1, 1)]
void main() {
    uint later(uint v);
    uint narrow(float v);
    Sized<1> one;
    Sized<2> two;
    one.mode = Sized<1>::Mode::High;
    two.mode = Sized<2>::Mode::Low;
    a::S s;
    a::Q q = { 7 };
    a::S::Inner inner;
    a::Wrap<uint> wrap = { 30 };
    uint list[4] = { 0, 0, 0, 9 };
    Out[0] = Factorial<5>::value;
    Out[1] = Ackermann<2, 3>::value;
    Out[2] = Sized<4>::mask * 100 + Sized<4>::all;
    Out[3] = through(one) * 100 + through(two);
    Out[4] = one.high() * 10 + two.high();
    Out[5] = Plain::First * 10 + Plain::Second;
    Out[6] = a::f();
    Out[7] = a::f2(q);
    Out[8] = s.m(q);
    Out[9] = s.t<5>();
    Out[10] = inner.n();
    Out[11] = a::b::deep(q, list);
    Out[12] = wrap.get();
    Out[13] = later(6) + twice(4);
    // The declaration in the block hides the other overload.
    Out[14] = narrow(2u);
    {
        uint narrow(uint v);
        Out[15] = narrow(2u);
    }
    Out[16] = sizeof(Chosen<(3 > 2) ? 2 : 1>) * 10 + sizeof(Chosen<true ? 3 : 1>) + sizeof(two.data);
    Around<2> around;
    Out[17] = around.inside.get() * 10 + around.inside.deeper.get() + sizeof(around.inside.data) * 10000;
}
uint later(uint v) { return v * 3; }
uint narrow(float v) { return 1; }
uint narrow(uint v) { return 2; }
uint twice(uint v) { return v * 2; }
