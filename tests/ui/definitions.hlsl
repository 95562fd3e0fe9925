// Definitions outside of their records, specialisations, and templates without an end.
struct S
{
    uint value;
    uint get();
    uint twice();
    static uint total;
};
uint S::get() { return value; }
uint S::get() { return value + 1; } //~ ERROR WG0103
uint S::twice(uint by) { return value * by; } //~ ERROR WG0125
uint S::missing() { return 0; } //~ ERROR WG0125
uint S::other = 4; //~ ERROR WG0125
uint S::total = 1;
uint S::twise() { return 0; } //~ ERROR WG0125
uint S::totl = 1; //~ ERROR WG0125
namespace Lib { void Draw(); struct Drab { uint x; }; }
void Lib::Drav() { } //~ ERROR WG0125

template<typename T> uint pick(T a) { return 1; }
template<> uint pick<float>(float a) { return b; } //~ ERROR WG0101
template<> uint picked<float>(float a) { return 2; } //~ ERROR WG0125
template<> struct Nothing<int> { uint x; }; //~ ERROR WG0125
template<typename T> struct Holder { T value; };
template<> struct Hodler<int> { int value; }; //~ ERROR WG0125

template<typename A, typename B> struct Two { uint x; };
template<typename A> struct Two<A, int> { uint y; }; //~ ERROR WG0104
template<typename A> struct Two<int, A> { uint z; };

template<uint N> struct Endless { static const uint value = N * Endless<N - 1>::value; };
template<uint N> struct Higher : Higher<N + 1> { uint x; }; //~ ERROR WG0011
interface IHigh { uint high(); };
template<uint N> struct Both : Both<N + 1>, IHigh { uint high() { return x; } }; //~ ERROR WG0011
template<typename T> struct Wider : Wider<Wider<T> > { uint x; }; //~ ERROR WG0011

[Shader("node")]
[NodeLaunch("thread")]
void Main()
{
    S s;
    uint a = s.get() + s.twice(); //~ ERROR WG0224
    Two<float, int> fits;
    Two<int, int> fits_twice;
    uint c = Endless<5>::value; //~ ERROR WG0011
    Higher<0> high;
    Both<0> both;
    Wider<int> wide;
}

[Shader("node")]
[NodeLaunch("thread")]
void Specialised()
{
    uint b = pick(1.5f) + pick(2);
}
