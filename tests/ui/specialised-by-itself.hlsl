// Specialisation constants whose numbers are the constants themselves, or each other: no number is computed for ever.
[[vk::constant_id(N)]] const uint N = 3; //~ WARN WG0129
[[vk::constant_id(P)]] const uint Q = 4; //~ ERROR WG0135 WARN WG0127
[[vk::constant_id(Q)]] const uint P = 5; //~ WARN WG0129
RWStructuredBuffer<uint> Out;

[Shader("node")] [NodeLaunch("thread")]
void node() { Out[0] = N + P + Q; }
