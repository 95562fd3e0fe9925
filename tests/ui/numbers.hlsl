// A malformed number is one mistake, reported once and about the number, in every place.
#if 1e //~ ERROR WG0003
#endif
#if 0x //~ ERROR WG0003
#endif
#if 99999999999999999999 //~ ERROR WG0003
#endif
#define CAT(a, b) a ## b

float exponent() { return 1e; } //~ ERROR WG0217
uint hex() { return 0x; } //~ ERROR WG0217
uint suffix() { return 1u2; } //~ ERROR WG0217
uint octal() { return 08; } //~ ERROR WG0217
float points() { return 1.5.5; } //~ ERROR WG0217
float unit() { return 2.0q * 3.0; } //~ ERROR WG0217
uint large() { return 0x1ffffffffffffffff; } //~ ERROR WG0217
static const uint size[1u2] = { 1 }; //~ ERROR WG0217
[numthreads(2.0q, 1, 1)] //~ ERROR WG0217
void group() { }

// Numbers next to tokens that may follow them.
float swizzle() { return 1.0.x + 0.xx.x + 1.x + float(0b11u + 0x1Eu) + 1.e1 + 2.f; }
float pasted() { return CAT(1e, 2) + CAT(0x, 1F); }
