// The number of records that one record produces, and their values.

struct Part { uint id; uint part; uint2 data; };

uint Hash(uint x)
{
    x ^= x >> 16;
    x *= 0x7feb352d;
    x ^= x >> 15;
    x *= 0x846ca68b;
    return x ^ (x >> 16);
}

// 1 to 256.
uint Count(uint id)
{
    return 1 + Hash(id) % 256;
}

Part Made(uint id, uint part)
{
    Part made;
    made.id = id;
    made.part = part;
    made.data = uint2(id * 3 + part, id ^ part << 8);
    return made;
}

uint Place(Part part)
{
    return part.id * 256 + part.part;
}

uint Value(Part part)
{
    return part.data.x * 31 + part.data.y;
}
