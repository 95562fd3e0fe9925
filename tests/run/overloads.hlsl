// Calls that are ambiguous in C++: the cheapest conversions win, all arguments taken together.
RWStructuredBuffer<uint> Out;

uint width(float a, float b) { return 1; }
uint width(float2 a, float2 b) { return 2; }
uint width(float3 a, float3 b) { return 3; }
uint width(float4 a, float4 b) { return 4; }

// A float converts to an integer more cheaply than an integer to a float.
uint load(float2 p, float lod) { return 1; }
uint load(int2 p, int lod) { return 2; }
uint truth(float a) { return 1; }
uint truth(bool a) { return 2; }

// The overload without narrower numbers wins.
uint rotate(float3 v, float4 q) { return 1; }
uint rotate(min16float3 v, min16float4 q) { return 2; }

// A change of sign costs less than any cast, and less for the parameter than for the argument.
uint sign_of(int a, float b) { return 1; }
uint sign_of(float a, int b) { return 2; }
uint sides(int a, uint b, uint c) { return 1; }
uint sides(uint a, int b, int c) { return 2; }

// Equally cheap: the one that is no template wins.
template<typename T> uint plain(T a) { return 1; }
uint plain(uint a) { return 2; }

uint wide(int64_t a) { return 1; }
uint wide(uint64_t a) { return 2; }

struct Random
{
    uint state;
    uint next(float a, float b) { return 1; }
    uint next(float2 a, float2 b) { return 2; }
    uint operator+(float a) { return 1; }
    uint operator+(float2 a) { return 2; }
};

[Shader("compute")]
[numthreads(1, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
    uint n = 0;
    float f = id.x + 0.5;
    float2 f2 = f;
    float3 f3 = f;
    float4 f4 = f;
    Out[n++] = width(f2, 1);
    Out[n++] = width(f, f3);
    Out[n++] = width(1.0, f4);
    Out[n++] = width(id.xy, f);
    Out[n++] = load(f2, 0);
    Out[n++] = load(id.xy, 0.5);
    Out[n++] = truth(7);
    Out[n++] = truth(id.x);
    Out[n++] = rotate((min16float3)f3, f4);
    Out[n++] = sign_of(id.x, f);
    Out[n++] = sign_of(f, id.x);
    Out[n++] = sides(id.x, id.y, (int)id.z);
    Out[n++] = sides((int)id.x, (int)id.y, id.z);
    Out[n++] = plain(id.x);
    Out[n++] = wide(id.x);
    Random random = { 0 };
    Out[n++] = random.next(f2, 1);
    Out[n++] = random + f2;

    // Integers of two sizes convert to an unsigned type if one of them is unsigned.
    int64_t least = -1 - (int64_t)id.x;
    Out[n++] = least < id.x;
    Out[n++] = (uint)((least / (id.x + 2u)) >> 32);
}
