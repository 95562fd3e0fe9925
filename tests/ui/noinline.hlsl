//! library
// An attribute without its brackets.
noinline void f() { } //~ ERROR WG0010
static noinline void g() { } //~ ERROR WG0010
noinline static uint h(uint a) { return a; } //~ ERROR WG0010
struct S { noinline void m() { } }; //~ ERROR WG0010

// A name like any other.
[noinline] void right() { }
uint counted(uint noinline) { return noinline; }
