// Recursion is wrong where an entry or an exported function reaches it.
RWStructuredBuffer<uint> Out : register(u0);
float Slope(float t) { return Slope(t + 1) - Slope(t - 1); }
struct Noise { uint Fold(uint n) { return n == 0 ? 0 : Fold(n - 1) + n; } };
template<typename T> T Sum(T n) { return n == 0 ? n : n + Sum(n - 1); }
uint Unused(uint n) { return Sum(n); }
uint Reached(uint n) { return n == 0 ? 0 : Reached(n - 1); } //~ ERROR WG0225
export uint Exported(uint n) { return n == 0 ? 0 : Exported(n - 1); } //~ ERROR WG0225
uint Through(uint n) { return n == 0 ? 0 : Through(n - 1); } //~ ERROR WG0225
export uint Outer(uint n) { return Through(n); }
[Shader("node")] [NodeLaunch("thread")]
void Start()
{
    Noise n;
    Out[0] = Reached(3);
}
