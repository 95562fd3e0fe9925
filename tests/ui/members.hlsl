// Enums of templates that make no sense, members of namespaces that nothing declares, functions that functions declare.

template<uint N> struct Part { enum { value = 12 / N, more = Nothing }; }; //~ ERROR WG0101
template<uint N> struct Endless { enum { value = Endless<N + 1>::value }; }; //~ ERROR WG0011
template<uint N> struct Own { enum Mode { On = N }; Mode mode; };

namespace a {
uint f();
struct S { uint m(); };
struct Small { uint m(); };
}
uint a::f() { return inside(); } //~ ERROR WG0101
uint a::g() { return 1; } //~ ERROR WG0125
uint a::Smal::m() { return 0; } //~ ERROR WG0101
uint aa::S::m() { return 0; } //~ ERROR WG0101
uint a::S::m() { return f() + h; } //~ ERROR WG0101

uint later(uint x) { return x; }
uint later(uint2 x) { return x.x; }

[Shader("node")]
[NodeLaunch("thread")]
void Main()
{
    uint later(uint2 x);
    uint never(uint x); //~ ERROR WG0125
    uint given(uint x = 1); //~ ERROR WG0220
    later(uint2(1, 2));
    later(1, 2); //~ ERROR WG0201
    Part<3>::value;
    Part<4>::more;
    uint x = Endless<1>::value;
    Own<1> one;
    one.mode = Own<2>::On; //~ ERROR WG0200
}
