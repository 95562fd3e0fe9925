// Fixed-point numbers with 16 fractional bits: the same on every device, regardless of its float arithmetic.
#ifndef PARTICLES_FIXED_HLSLI
#define PARTICLES_FIXED_HLSLI

struct Fixed
{
    int raw;

    static Fixed FromRaw(int raw)
    {
        Fixed f;
        f.raw = raw;
        return f;
    }
    static Fixed FromInt(int v) { return FromRaw(v << 16); }

    Fixed operator+(Fixed other) { return FromRaw(raw + other.raw); }
    Fixed operator-(Fixed other) { return FromRaw(raw - other.raw); }
    Fixed operator*(Fixed other) { return FromRaw(int((int64_t(raw) * int64_t(other.raw)) >> 16)); }
    bool operator<(Fixed other) { return raw < other.raw; }
};

struct Fixed3
{
    Fixed x, y, z;

    static Fixed3 Make(Fixed x, Fixed y, Fixed z)
    {
        Fixed3 v = { x, y, z };
        return v;
    }

    Fixed3 operator+(Fixed3 o) { return Make(x + o.x, y + o.y, z + o.z); }
    Fixed3 operator*(Fixed s) { return Make(x * s, y * s, z * s); }
    int3 Raw() { return int3(x.raw, y.raw, z.raw); }
    static Fixed3 FromRaw(int3 raw) { return Make(Fixed::FromRaw(raw.x), Fixed::FromRaw(raw.y), Fixed::FromRaw(raw.z)); }
};

#endif
