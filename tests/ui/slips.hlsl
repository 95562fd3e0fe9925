//! library
// Code that means something, but hardly the intended thing.
RWStructuredBuffer<uint> O;
struct Wide { uint w; Wide operator+(Wide o) { O[3] = w; return o; } bool operator==(Wide o) { return w == o.w; } };

void conditions(uint x, uint y)
{
    if (x = 1) O[0] = 1; //~ WARN WG0234
    while (x = y + 1) { x -= 1; break; } //~ WARN WG0234
    do { x -= 1; } while (x = 0); //~ WARN WG0234
    for (uint i = 4; i = 0; --i) O[1] = i; //~ WARN WG0234
    // Intended, and others.
    if ((x = 1)) O[0] = 1;
    if (x == 1 || (y = 2)) O[0] = 1;
    if (x += 1) O[0] = 1;
    while (x -= 1) O[0] = x;
}

void values(uint x, uint2 v, Wide a, Wide b)
{
    x == 1; //~ WARN WG0235
    x < 1; //~ WARN WG0235
    v + 1; //~ WARN WG0235
    -x; //~ WARN WG0235
    O[0] == x; //~ WARN WG0235
    for (x == 1; x < 4; ++x) {} //~ WARN WG0235
    // Expressions that have an effect, or drop a value on purpose.
    x++;
    x == 1 ? x++ : x--;
    x > 1 && (x = 1);
    (void)(x == 1);
    a + b;
    a == b;
    x;
    (void)x;
}
