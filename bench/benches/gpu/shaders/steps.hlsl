// A workgroup that does nothing.

[[vk::binding(0)]] RWStructuredBuffer<uint> Out;

[Shader("compute")] [NumThreads(64, 1, 1)]
void Nothing(uint3 group : SV_GroupID)
{
    if (group.x == 0xffffffff)
        Out[0] = 1;
}
