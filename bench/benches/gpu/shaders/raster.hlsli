// Triangles generated from a number, drawn into a buffer of depths and numbers.

static const uint c_width = 1920;
static const uint c_height = 1080;

uint Hash(uint x)
{
    x ^= x >> 16;
    x *= 0x7feb352d;
    x ^= x >> 15;
    x *= 0x846ca68b;
    return x ^ (x >> 16);
}

struct Triangle { int2 a, b, c; uint depth; };

// Most are small; one in 64 is up to 256 pixels wide and high.
Triangle Made(uint id)
{
    uint h = Hash(id * 4), k = Hash(id * 4 + 1), l = Hash(id * 4 + 2);
    int size = (l & 63) == 0 ? 256 : 12;
    Triangle t;
    t.a = int2(h % c_width, (h >> 16) % c_height);
    t.b = t.a + int2((k & 0xff) * size / 256, (k >> 8 & 0xff) * size / 256);
    t.c = t.a + int2((k >> 16 & 0xff) * size / 256, (k >> 24) * size / 256);
    t.depth = l >> 12;
    return t;
}

// Tiles of 8 by 8 pixels on the screen that the triangle's bounding box touches.
void Box(Triangle t, out uint2 first, out uint2 tiles)
{
    int2 low = min(t.a, min(t.b, t.c)), high = max(t.a, max(t.b, t.c));
    high = min(high, int2(c_width - 1, c_height - 1));
    first = uint2(low) / 8;
    tiles = any(low > high) ? uint2(0, 0) : uint2(high) / 8 - first + 1;
}

int Side(int2 a, int2 b, int2 p)
{
    return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

void Draw(Triangle t, uint id, uint2 pixel)
{
    if (pixel.x >= c_width || pixel.y >= c_height)
        return;
    int2 p = int2(pixel);
    // If the corners are on one line, only the bounding box limits the triangle.
    if (any(p < min(t.a, min(t.b, t.c))) || any(p > max(t.a, max(t.b, t.c))))
        return;
    int u = Side(t.a, t.b, p), v = Side(t.b, t.c, p), w = Side(t.c, t.a, p);
    if ((u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0))
        InterlockedMax(Out[pixel.y * c_width + pixel.x], t.depth << 12 | (id & 0xfff));
}
