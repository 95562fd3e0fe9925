// Functions of other stages: wrong if a node reaches them, through any number of calls, and nowhere else.
RWStructuredBuffer<float> Out;
struct Hit { float t; };

float Masked(float x) { clip(x); return x; } //~ ERROR WG0229
float Unreached(float x) { if (x < 0) discard; return fwidth(x); }
struct Material { void Test(float alpha) { if (alpha < 0.5) discard; } void Other() { discard; } }; //~ ERROR WG0229
template<typename T> void Kill(T x) { clip(x); } //~ ERROR WG0229
float Stop(inout Hit hit) { IgnoreHit(); return 1; }
float Through(float x) { Material m; m.Test(x); Kill(x); return Masked(x); }
float Between(float x) { return Through(x) + 1; }
float Never(float x) { Hit h = { x }; return Unreached(x) + Stop(h); }

[Shader("pixel")]
float4 Pixel(float4 p : SV_Position) : SV_Target { return Never(p.x) * Between(p.y); }

[Shader("node")] [NodeLaunch("thread")]
void Main() { Out[0] = Between(Out[1]); }
