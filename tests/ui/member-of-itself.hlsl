// Half typed: a member without a name, of the type around it. The lookup of a member terminates.
struct S { uint a; S; }; //~ ERROR WG0010
struct A { B; }; //~ ERROR WG0010
struct B { A; uint b; }; //~ ERROR WG0010
uint f(S s) { return s.x + s.a; }
uint g(B b, A a) { return b.x + a.b; }
