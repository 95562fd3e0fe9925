// Only the module as a whole shows that an operand is missing.
RWStructuredBuffer<uint> Out;
[[vk::ext_instruction(128)]] uint Add(uint x);

[Shader("node")] [NodeLaunch("thread")]
void Main() { Out[0] = Add(3); } //~ emulated amdx WG0504
