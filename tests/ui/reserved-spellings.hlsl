// Suffixes that no literal has, modifiers that locals cannot have, and template parameters with one name.
template<typename T, typename T> T Same(T a) { return a; } //~ ERROR WG0103
template<int N, uint M, bool N> int Mixed() { return N; } //~ ERROR WG0103
template<typename, typename> struct Unnamed { template<int, int> int Get() { return 1; } };
template<typename T> struct Outer { template<typename U> U Get(U a) { return a; } };

uint Literals()
{
    uint a = 1u + 1l + 1ul + 1lu + 0x1fu;
    uint64_t b = 1ull + 1llu + 1ll;
    float c = 1.0f + 1e3f + 1.h;
    uint d = 1uu; //~ ERROR WG0217
    float e = 19f; //~ ERROR WG0217
    uint f = 1lul; //~ ERROR WG0217
    return a + uint(b) + uint(c) + d + uint(e) + f;
}

uint Modifiers()
{
    const uint a = 1;
    precise float b = 2;
    extern uint c; //~ ERROR WG0112
    uniform uint d = 3; //~ ERROR WG0112
    inline uint e = 4; //~ ERROR WG0112
    nointerpolation uint f = 5; //~ ERROR WG0112
    shared uint g = 6; //~ ERROR WG0112
    export uint h = 7; //~ ERROR WG0112
    return a + uint(b) + c + d + e + f + g + h;
}
