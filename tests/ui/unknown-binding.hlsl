// A macro that nobody defined is one mistake.
[[vk::binding(0, RENDER_SET)]] [[vk::counter_binding(COUNTER)]] RWStructuredBuffer<uint> Out; //~ ERROR WG0101 WG0101

[Shader("node")]
[NodeLaunch("thread")]
void Node() { Out[0] = 1; }
