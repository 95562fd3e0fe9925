//! library
// A variable is known in its own initialiser, where it has no value: an older declaration of the name is hidden.

uint f(uint x) { return x + 1; }
uint g(out uint x) { x = 3; return 4; }
static const uint size = 4;
struct Pair { uint a; uint b; };
RWStructuredBuffer<uint> result;

void Calls(uint x)
{
    uint f = f(x); //~ ERROR WG0208
    uint max = max(x, 1u); //~ ERROR WG0208
    uint plain = 1;
    result[0] = plain(x) + f; //~ ERROR WG0208
    uint h = ::f(x);
    result[1] = max + h;
}

uint Reads(uint x)
{
    uint own = own + 1; //~ WARN WG0237
    uint size = size * 2; //~ WARN WG0237
    if (x > 3)
    {
        uint x = x + 1; //~ WARN WG0237
        own += x;
    }
    const uint fixed = fixed | 1; //~ WARN WG0237
    float4 part = float4(part.x, 1, 2, part.y); //~ WARN WG0237
    Pair pair = { pair.b, 1 }; //~ WARN WG0237
    for (uint i = i + 1; i < 3; i++) //~ WARN WG0237
        own += i;
    static uint kept = kept + 1; //~ ERROR WG0220
    return own + size + fixed + uint(part.x) + pair.a + kept;
}

// The type would come from itself.
void Types(uint x)
{
    auto later = later + 1; //~ ERROR WG0115
    uint many[] = { 1, many[0] }; //~ ERROR WG0115
    RWStructuredBuffer<uint> buffer = buffer; //~ ERROR WG0237
    result[2] = x;
}

// No reads: sizes, variables that are written first, the size of an array, which comes before the name is complete, and a name
// that is declared later.
uint Fine(uint n)
{
    uint bytes = sizeof(bytes);
    uint given = g(given);
    const uint size = sizeof(size) * 2;
    uint more[size];
    more[0] = n;
    {
        uint n[::size] = { 1, 2, 3, 4 };
        uint size[size] = { 1, 2, 3, 4, 5, 6, 7, 8 };
        more[0] += n[0] + size[7];
    }
    return bytes + given + more[0];
}
