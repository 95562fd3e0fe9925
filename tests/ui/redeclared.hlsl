//! library
// An alias may be declared again with its type; a function has one result.
typedef float4 color;
typedef float4 color;
using color = vector<float, 4>;
using color = float3; //~ ERROR WG0103
template<typename T> using pair = vector<T, 2>;
template<typename T> using pair = vector<T, 2>; //~ ERROR WG0103

float f(float x);
int f(float x) { return 1; } //~ ERROR WG0136
float g(float x);
float g(float x) { return x; }
float g(int x) { return x; }
struct S { float m(float x); float n(); };
uint S::m(float x) { return 1; } //~ ERROR WG0136
float S::n() { return 1; }
row_major float2x2 h();
float2x2 h() { return 1; }

void hints(uint a, float b)
{
    [unrol] for (uint i = 0; i < 4; ++i) { }  //~ WARN WG0119
    [loop] if (a) { }                         //~ WARN WG0233
    [branch] while (a != 0) { --a; }          //~ WARN WG0233
    [forcecase] if (a) { }                    //~ WARN WG0233
    [numthreads(1, 1, 1)] { }                 //~ WARN WG0233
    [loop] [fastopt] for (uint j = 0; j < 4; ++j) { }
    [Flatten] if (a) { } else { }
    [branch] switch (a) { case 0: break; }
    [loop] do { --a; } while (a != 0);
    switch (b) { case 0: break; }             //~ WARN WG0232
    switch ((int)b) { case 0: break; }
}

// Small slips.
SamplerState Smooth : register(s1) { Filter = MIN_MAG_MIP_LINEAR; }; //~ WARN WG0012
StructuredBuffer<void> nothing; //~ ERROR WG0116
void bits() { uint a : 3; } //~ ERROR WG0130
float4 from_heap(uint n) { return Texture2D<float4>(ResourceDescriptorHeap[n])[uint2(0, 0)]; }
