// Only arithmetic: a device under load has a different clock rate than an idle one.

[[vk::binding(0)]] RWStructuredBuffer<uint> Out;

[Shader("compute")] [NumThreads(256, 1, 1)]
void Warm(uint thread : SV_GroupIndex)
{
    float x = thread;
    for (uint turn = 0; turn < 50000; turn++)
        x = x * 0.999 + 0.5;
    if (x == -1)
        Out[0] = 1;
}
