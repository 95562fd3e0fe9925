// A mistake inside a macro points to its use, and says which macros it went through.
#define INNER(x) ((x) + missing)
#define OUTER(x) (INNER(x) * 2)

uint f(uint a)
{
    return OUTER(a); //~ ERROR WG0101
}

// From an argument into the text of the macro, or from one argument to another, it is the whole call.
struct S { uint a; };
#define MORE(x) x + 1
#define SUM(x, y) x + y
#define TWICE(x) SUM(x, x)
#define NESTED(x) MORE(x)
#define ONE 1

uint more(S s) { return MORE(s); } //~ ERROR WG0207
uint sum(S s, uint n) { return SUM(s, n); } //~ ERROR WG0207
uint twice(S s) { return TWICE(s); } //~ ERROR WG0207
uint nested(S s) { return NESTED(s); } //~ ERROR WG0207
// Within an argument, and around a macro, it is the written text.
uint within(S s, uint n) { return SUM(n, (s + n)); } //~ ERROR WG0207
uint around(S s, uint n) { return s + ONE; } //~ ERROR WG0207
uint between(S s, uint n) { return SUM(n, 1) + s + SUM(n, 2); } //~ ERROR WG0207
