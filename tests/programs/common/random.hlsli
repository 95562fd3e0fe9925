// Counter-based random numbers: the PCG output permutation over 32-bit states.
#ifndef COMMON_RANDOM_HLSLI
#define COMMON_RANDOM_HLSLI

uint Pcg(uint v)
{
    const uint state = v * 747796405u + 2891336453u;
    const uint word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
    return (word >> 22u) ^ word;
}

uint Hash(uint a) { return Pcg(a); }
uint Hash(uint a, uint b) { return Pcg(a + Pcg(b)); }
uint Hash(uint a, uint b, uint c) { return Pcg(a + Pcg(b + Pcg(c))); }
uint Hash(uint2 v) { return Hash(v.x, v.y); }
uint Hash(uint3 v) { return Hash(v.x, v.y, v.z); }

struct RandomStream
{
    uint state;

    static RandomStream FromSeed(uint seed)
    {
        RandomStream stream;
        stream.state = seed;
        return stream;
    }

    uint Next()
    {
        state = Pcg(state);
        return state;
    }

    // In [0, 1), a multiple of 2^-24: exact in a float.
    float NextFloat() { return float(Next() >> 8) * (1.0f / 16777216.0f); }
    float2 NextFloat2()
    {
        float2 v;
        v.x = NextFloat();
        v.y = NextFloat();
        return v;
    }
    uint Below(uint bound) { return Next() % bound; }
};

#endif // COMMON_RANDOM_HLSLI
