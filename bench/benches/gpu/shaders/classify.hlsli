// Shared by all classification shaders: each pixel's material, and the value computed from it.

static const uint c_materials = 100;

struct Payload { uint pixel; uint material; uint data[PAYLOAD_WORDS - 2]; };

uint Hash(uint x)
{
    x ^= x >> 16;
    x *= 0x7feb352d;
    x ^= x >> 15;
    x *= 0x846ca68b;
    return x ^ (x >> 16);
}

// COHERENT: all pixels of a 32 by 32 tile have one material; otherwise each pixel has its own.
uint Material(uint pixel, uint width)
{
#if COHERENT
    uint tile = (pixel / width / 32) * (width / 32) + pixel % width / 32;
    return Hash(tile) % c_materials;
#else
    return Hash(pixel) % c_materials;
#endif
}

Payload Made(uint pixel, uint material)
{
    Payload made;
    made.pixel = pixel;
    made.material = material;
    for (uint i = 0; i < PAYLOAD_WORDS - 2; i++)
        made.data[i] = pixel * (i + 1) + material;
    return made;
}

// DISTINCT: each material has its own code; otherwise all share one.
uint Shade(Payload p, uint material)
{
    uint sum = p.material;
    for (uint i = 0; i < PAYLOAD_WORDS - 2; i++)
        sum = sum * 31 + p.data[i];
#if DISTINCT
    for (uint turn = 0; turn < 4 + material % 8; turn++)
        sum = (sum ^ (sum >> (1 + material % 13))) * (2 * material + 3) + turn;
#endif
    return sum;
}

// Expands NAME(N) for each material.
#define TEN_MATERIALS(NAME, N) NAME(N##0) NAME(N##1) NAME(N##2) NAME(N##3) NAME(N##4) \
    NAME(N##5) NAME(N##6) NAME(N##7) NAME(N##8) NAME(N##9)
#define ALL_MATERIALS(NAME) \
    NAME(0) NAME(1) NAME(2) NAME(3) NAME(4) NAME(5) NAME(6) NAME(7) NAME(8) NAME(9) \
    TEN_MATERIALS(NAME, 1) TEN_MATERIALS(NAME, 2) TEN_MATERIALS(NAME, 3) TEN_MATERIALS(NAME, 4) TEN_MATERIALS(NAME, 5) \
    TEN_MATERIALS(NAME, 6) TEN_MATERIALS(NAME, 7) TEN_MATERIALS(NAME, 8) TEN_MATERIALS(NAME, 9)
