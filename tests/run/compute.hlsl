// Compute shaders without a graph: sums of rows in groupshared memory, then the sum of the sums.

[[vk::constant_id(1)]] const uint Scale = 2;

struct Settings
{
    uint rows;
    int bias;
};

[[vk::push_constant]] Settings Push;
StructuredBuffer<int> In;
RWStructuredBuffer<int> Sums;
RWStructuredBuffer<int> Total;

groupshared int Row[8];

[Shader("compute")]
[NumThreads(8, 1, 1)]
void SumRows(uint3 group : SV_GroupID, uint lane : SV_GroupIndex)
{
    uint row = group.y * 2 + group.x;
    Row[lane] = In[row * 8 + lane] * int(Scale);
    GroupMemoryBarrierWithGroupSync();
    for (uint half = 4; half > 0; half /= 2)
    {
        if (lane < half)
        {
            Row[lane] += Row[lane + half];
        }
        GroupMemoryBarrierWithGroupSync();
    }
    if (lane == 0)
    {
        Sums[row] = Row[0] + Push.bias;
    }
}

[Shader("compute")]
[NumThreads(1, 1, 1)]
void SumAll()
{
    int all = 0;
    for (uint row = 0; row < Push.rows; ++row)
    {
        all += Sums[row];
    }
    Total[0] += all;
}
