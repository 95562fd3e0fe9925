// The instruction has a result, and its function returns none.
RWStructuredBuffer<uint> Out;
[[vk::ext_instruction(200)]] void Not(uint x);

[Shader("node")] [NodeLaunch("thread")]
void Main()
{
    Out[0] = 1;
    Not(3); //~ emulated amdx WG0504
}
