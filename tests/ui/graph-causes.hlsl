// One mistake gives one message, which names its cause.
RWStructuredBuffer<uint> Out;
struct R { uint a; };

[Shader("node")] [Shader("compute")] [NodeLaunch("thread")] //~ ERROR WG0327
void two_stages() { Out[0] = 1; }

// Checks that depend on the mode wait until it is known.
[Shader("node")] [NodeLaunch("Coalescing")] //~ ERROR WG0301
void mode(DispatchNodeInputRecord<R> i, uint x : SV_DispatchThreadID) { }
[Shader("node")] [NodeLaunch("coal")] //~ ERROR WG0301
void other_mode(DispatchNodeInputRecord<R> i, uint x : SV_DispatchThreadID) { }
