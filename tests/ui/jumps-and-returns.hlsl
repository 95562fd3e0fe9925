//! library
// A `return` that does not fit its function, jumps outside of loops, and an index on a value without elements.
RWStructuredBuffer<uint> Out;
struct R { uint x; };

void Store(uint value) { Out[0] = value; return value; } //~ ERROR WG0213
uint Fetch() { return; } //~ ERROR WG0213
void Leave(uint value) { if (value == 0) break; Out[0] = value; } //~ ERROR WG0214
void Next(uint value) { if (value == 0) continue; Out[0] = value; } //~ ERROR WG0214
uint First(uint values) { return values[0]; } //~ ERROR WG0210
uint FirstOf(R r) { return r[0]; } //~ ERROR WG0210

[Shader("node")] [NodeLaunch("thread")]
void Main() { Store(First(1)); }
