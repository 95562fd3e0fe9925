// A mistake between tokens from macros points to the call, says which macros it went through, and offers no fix
// that would be inside a macro. A token that is missing after a call belongs after its parenthesis.
#define TWO 1 1
#define BAD(a) a a
#define RET(x) return x
#define FIELD(t, n) t n
#define PAREN (1
#define BODY(x) { return x }
#define PAIR(a, b) a b
#define OUTER(z) BAD(z)
#define ONE(x) x
#define LEFT(x) x; return 1 x
#define BLOCK(x) if (x) {

uint two() { return TWO; } //~ ERROR WG0010
uint twice(uint q) { return BAD(q); } //~ ERROR WG0010
uint ret(uint a) { RET(a) } //~ ERROR WG0010
struct S { FIELD(uint, a) FIELD(uint, b); }; //~ ERROR WG0010
uint paren() { return PAREN; } //~ ERROR WG0010
uint body(uint a) BODY(a) //~ ERROR WG0010
uint pair(uint a) { return PAIR(a, 2); } //~ ERROR WG0010
uint nested(uint a) { return OUTER(a); } //~ ERROR WG0010
uint within(uint a) { return ONE(a 2); } //~ ERROR WG0010
uint index(uint a[4]) { return ONE(a[1); } //~ ERROR WG0010
uint left(uint a) { LEFT(a); } //~ ERROR WG0010
void block(uint a) { BLOCK(a) a = 1; } //~ ERROR WG0010
