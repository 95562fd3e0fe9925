//! library
// Rows about the whole graph are off; those about one node stay, a missing budget being a warning.
struct R { uint x; };
[Shader("node")] [NodeLaunch("thread")]
void elsewhere([MaxRecords(1)] NodeOutput<R> another_library, NodeOutput<R> no_budget) { } //~ WARN WG0317
[Shader("node")] [NodeLaunch("thread")]
void grid(uint x : SV_GroupIndex) { } //~ ERROR WG0314
