// An identical definition, and another one after `#undef`.
#define STEPS 4
#define STEPS 4
#undef STEPS
#define STEPS 8
#define FAST
#ifndef FAST
#warning "this is the slow path"
#endif
RWStructuredBuffer<uint> Out;
[Shader("node")] [NodeLaunch("thread")]
void Main() { Out[0] = STEPS; }
