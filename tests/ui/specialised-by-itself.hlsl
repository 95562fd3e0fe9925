// Specialisation constants whose numbers are the constants themselves, or each other: no number is computed for ever.
[[vk::constant_id(N)]] const uint N = 3;
[[vk::constant_id(P)]] const uint Q = 4; //~ ERROR WG0135
[[vk::constant_id(Q)]] const uint P = 5;
RWStructuredBuffer<uint> Out;

[Shader("node")] [NodeLaunch("thread")]
void node() { Out[0] = N + P + Q; }
