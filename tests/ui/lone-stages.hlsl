//~ WARN WG0416
// Stages without nodes and without --library: only the missing nodes are reported.
Texture2D<float4> Image;
SamplerState Linear;
RasterizerOrderedTexture2D<float4> Ordered;
FeedbackTexture2D<SAMPLER_FEEDBACK_MIN_MIP> Feedback;
struct Varying { float4 position : SV_Position; float2 uv : UV; };
struct Hit { float t; };

float4 Draw(float4 p : SV_Position) : SV_Target { clip(p.x - 0.5); return p; }
float4 Cut(float4 p : SV_Position) : SV_Target { if (p.x < 0) discard; return fwidth(p) + Image.Sample(Linear, p.xy); }
float4 Masked(Varying v) : SV_Target { return Draw(v.position) * Cut(v.position); }
void Store(uint2 at) { Ordered[at] += 1; }
void Note(float2 uv) { Feedback.WriteSamplerFeedback(Image, Linear, uv); }
void Strip(Varying v, inout TriangleStream<Varying> strip) { strip.Append(v); strip.RestartStrip(); }
void Stop(inout Hit hit) { hit.t = RayTCurrent(); IgnoreHit(); }
struct Material { void Test(float alpha) { if (alpha < 0.5) discard; } };
template<typename T> void Kill(T x) { clip(x); }
void KillAll() { Kill(1.0f); Material m; m.Test(0); }
