// A register that lands on a binding which another resource is given by name.
[[vk::binding(1)]] StructuredBuffer<uint> Items;
[[vk::binding(12, 1)]] StructuredBuffer<uint> More;
StructuredBuffer<uint> Fine : register(t0);
RWStructuredBuffer<uint> Out : register(u1);                        //~ ERROR WG0114
RWStructuredBuffer<uint> Other : register(u2, space1);
RWStructuredBuffer<uint> Twice : register(u2, space1);              //~ ERROR WG0114

[Shader("node")]
[NodeLaunch("thread")]
void Node() { Out[0] = Items[0] + More[0] + Fine[0] + Other[0] + Twice[0]; }
