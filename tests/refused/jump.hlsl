// An instruction that is no computation.
RWStructuredBuffer<uint> Out;
[[vk::ext_instruction(249)]] uint Branch(uint x);

[Shader("node")] [NodeLaunch("thread")]
void Main() { Out[0] = Branch(2); } //~ emulated amdx WG0504
