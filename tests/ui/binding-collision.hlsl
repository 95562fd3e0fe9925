// A register that lands on a binding which another resource is given by name.
[[vk::binding(1)]] StructuredBuffer<uint> Items;
[[vk::binding(12, 1)]] StructuredBuffer<uint> More;
StructuredBuffer<uint> Fine : register(t0);
RWStructuredBuffer<uint> Out : register(u1);                        //~ ERROR WG0114
RWStructuredBuffer<uint> Other : register(u2, space1);
RWStructuredBuffer<uint> Twice : register(u2, space1);              //~ WARN WG0137
// Counters that name their bindings come before registers, and before declarations that name nothing.
[[vk::counter_binding(4)]] RWStructuredBuffer<uint> Counted : register(u0, space2);
RWStructuredBuffer<uint> There : register(u4, space2);              //~ ERROR WG0114
[[vk::counter_binding(12), vk::binding(13, 1)]] RWStructuredBuffer<uint> Meets; //~ ERROR WG0114
RWStructuredBuffer<uint> Gives : register(space2);

[Shader("node")]
[NodeLaunch("thread")]
void Node() { Out[0] = Items[0] + More[0] + Fine[0] + Other[0] + Twice[0] + Counted.IncrementCounter() + There[0] + Meets.IncrementCounter() + Gives[0]; }
