// DXC knows types from their declarations on.
struct A { B b; }; //~ WARN WG0140
struct B { uint x; };
uint Late() { return P; } //~ WARN WG0140
enum E { P, Q };
struct C { T t; typedef uint T; }; //~ WARN WG0140
template<typename T> uint Deferred(T t) { D d; d.x = t; return d.x; } //~ WARN WG0140
struct D { uint x; };
// Nothing is wrong with these.
struct Announced;
uint First(Announced a);
struct Announced { uint x; };
uint First(Announced a) { return a.x; }
struct Methods
{
    uint Sum() { Inner i; i.a = n; Number m = Own(); return i.a + m; }
    uint Own() { return n; }
    Methods Copy() { Methods m; m.n = n; return m; }
    struct Inner { uint a; };
    typedef uint Number;
    uint n;
};
template<typename T> uint Dependent(T t) { return t.x + T::k; }
struct Used { uint x; static const uint k = 3; };
RWStructuredBuffer<uint> Out : register(u0);
[Shader("node")] [NodeLaunch("thread")]
void Start()
{
    Used u;
    u.x = 1;
    Methods m;
    m.n = 2;
    A a;
    a.b.x = 3;
    Announced n;
    n.x = 4;
    Out[0] = Dependent(u) + m.Sum() + a.b.x + First(n) + Late() + Deferred(1u);
}
