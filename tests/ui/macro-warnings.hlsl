// A warning of the program itself, and a macro with a second definition.
#define STEPS 4
#define STEPS 8
//~^ WARN WG0007
#ifndef FAST
#warning "this is the slow path"
//~^ WARN WG0006
#endif
RWStructuredBuffer<uint> Out;
[Shader("node")] [NodeLaunch("thread")]
void Main() { Out[0] = STEPS; }
