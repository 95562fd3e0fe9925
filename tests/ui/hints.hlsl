// Attributes of statements that contradict each other, and invalid numbers of iterations.
static const uint COUNT = 4;

uint Conflicts(uint x)
{
    [unroll] [loop] for (uint i = 0; i < 4; ++i) x += i; //~ ERROR WG0250
    [loop] [unroll(2)] while (x < 100) x += 3; //~ ERROR WG0250
    [fastopt] [unroll] do { x += 5; } while (x < 200); //~ ERROR WG0250
    [branch] [flatten] if (x > 3) x = 1; //~ ERROR WG0250
    [flatten] [branch] switch (x) { case 0: x = 2; break; } //~ ERROR WG0250
    return x;
}

uint Fits(uint x)
{
    [unroll] [unroll] for (uint i = 0; i < 4; ++i) x += i;
    [loop] [fastopt] [allow_uav_condition] while (x < 100) x += 3;
    [branch] [forcecase] switch (x) { case 0: x = 2; break; }
    [unroll(COUNT + 1)] for (uint k = 0; k < 4; ++k) x += k;
    [unroll(4u)] for (uint m = 0; m < 4; ++m) x += m;
    return x;
}

uint Numbers(uint x)
{
    [unroll(x)] for (uint i = 0; i < 4; ++i) x += i; //~ WARN WG0251
    [unroll(-1)] for (uint j = 0; j < 4; ++j) x += j; //~ WARN WG0251
    [unroll(2.5)] for (uint k = 0; k < 4; ++k) x += k; //~ WARN WG0251
    [unroll(true)] for (uint l = 0; l < 4; ++l) x += l; //~ WARN WG0251
    [unroll("four")] for (uint m = 0; m < 4; ++m) x += m; //~ ERROR WG0251
    [unroll(four)] for (uint n = 0; n < 4; ++n) x += n; //~ ERROR WG0101
    return x;
}

// ---- `precise` where nothing is declared that has a value

typedef precise float Exact; //~ WARN WG0252
precise struct Pair { float a, b; }; //~ WARN WG0252

struct Sums { precise float sum; float rest; };
static precise float total;
groupshared precise float shared_sums[4];
precise float Product(precise float a, float b) { return a * b; }

float Casts(float a, float b)
{
    typedef precise float Local; //~ WARN WG0252
    precise Local c = a * b;
    return (precise float)(a * b) + c; //~ WARN WG0252
}
