//! library
// A part of a program is right without the function's body, and becomes no module.
RWStructuredBuffer<uint> Out;
uint Elsewhere(uint x); //~ emulated amdx WG0224

[Shader("node")] [NodeLaunch("thread")]
void Main() { Out[0] = Elsewhere(3); }
