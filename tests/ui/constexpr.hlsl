// HLSL has no `constexpr`: it has other forms for the meanings in C++.
constexpr uint Three = 3; //~ ERROR WG0112
static constexpr uint Four = 4; //~ ERROR WG0112
struct S { static constexpr uint Two = 2; }; //~ ERROR WG0112
constexpr uint square(uint x) { return x * x; } //~ ERROR WG0112
RWStructuredBuffer<uint> Out;

[Shader("node")]
[NodeLaunch("thread")]
void Start()
{
    constexpr uint five = 5; //~ ERROR WG0112
    Out[0] = five + square(Three) + Four + S::Two;
}
