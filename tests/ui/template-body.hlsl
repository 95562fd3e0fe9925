// A mistake in the body, after the signature, does not remove the candidate.

template<typename T> uint body(T x) { return x.missing; } //~ ERROR WG0209
uint body(float2 x) { return 0; }

[Shader("node")]
[NodeLaunch("thread")]
void Main() { body(1u); }
