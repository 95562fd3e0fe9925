// What the ways of classifying pixels have in common: a material for each pixel, and what is computed of it.

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

// COHERENT: tiles of 32 by 32 pixels have one material; else each pixel has its own.
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

uint Shade(Payload p)
{
    uint sum = p.material;
    for (uint i = 0; i < PAYLOAD_WORDS - 2; i++)
        sum = sum * 31 + p.data[i];
    return sum;
}
