// Two views of one binding, which the source names for both.

[[vk::binding(0)]] RWStructuredBuffer<uint> Words;
[[vk::binding(0)]] StructuredBuffer<float> Floats;
[[vk::binding(1)]] RWStructuredBuffer<uint> Out;

[Shader("node")]
[NodeLaunch("thread")]
void Start()
{
    Words[0] = 0x40400000;
    Out[0] = uint(Floats[1]) + Words[0];
}
