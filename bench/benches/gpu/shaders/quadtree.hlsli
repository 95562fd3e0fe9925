// The set in integers (13 fractional bits), so that all devices compute the same; WIDTH is a power of two.

static const uint c_mixed = 0xffffffff;
// Squares of this size are computed pixel by pixel.
static const uint c_least = 16;
static const uint c_turns = 256;

// Iterations until a point escapes; at most c_turns. The bits of x * x are those of an unsigned number below 2^32.
uint Turns(uint2 pixel)
{
    int step = (3 << 13) / WIDTH;
    int2 c = int2(pixel) * step - int2(9 << 11, 3 << 12);
    int x = 0, y = 0;
    uint turns = 0;
    for (; turns < c_turns; turns++)
    {
        uint xx = (uint)(x * x) >> 13, yy = (uint)(y * y) >> 13;
        if (xx + yy > 4 << 13)
            break;
        y = (x * y >> 12) + c.y;
        x = (int)(xx - yy) + c.x;
    }
    return turns;
}

uint Place(uint2 pixel)
{
    return pixel.y * WIDTH + pixel.x;
}

groupshared uint Least;
groupshared uint Most;

// Returns the value of a square's border if it has only one. Called by 64 threads.
uint Border(uint2 at, uint size, uint thread)
{
    if (thread == 0)
    {
        Least = c_mixed;
        Most = 0;
    }
    GroupMemoryBarrierWithGroupSync();
    uint least = c_mixed, most = 0;
    for (uint i = thread; i < 4 * size; i += 64)
    {
        uint side = i / size, along = i % size, across = (side & 1) * (size - 1);
        uint turns = Turns(at + (side < 2 ? uint2(along, across) : uint2(across, along)));
        least = min(least, turns);
        most = max(most, turns);
    }
    InterlockedMin(Least, least);
    InterlockedMax(Most, most);
    GroupMemoryBarrierWithGroupSync();
    return Least == Most ? Least : c_mixed;
}
