// SPIR-V has no such instruction.
RWStructuredBuffer<uint> Out;
[[vk::ext_instruction(60000)]] uint Unknown(uint x);
uint Between(uint x)
{
    return Unknown(x); //~ emulated amdx WG0504
}

[Shader("node")] [NodeLaunch("thread")]
void Main() { Out[0] = Between(3); }
