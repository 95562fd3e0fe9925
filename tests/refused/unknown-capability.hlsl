// SPIR-V has no such capability, and no function has a statement that asks for it.
RWStructuredBuffer<uint> Out;
[[vk::ext_capability(60000)]] [[vk::ext_instruction(200)]] uint Not(uint x);

[Shader("node")] [NodeLaunch("thread")]
void Main() { Out[0] = Not(3); } //~ emulated amdx WG0504
