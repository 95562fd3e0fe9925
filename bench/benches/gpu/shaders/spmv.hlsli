// A sparse matrix times a vector, in integers. A row is computed by one thread, by 32 threads or by 256.

[[vk::binding(0)]] RWStructuredBuffer<uint> Out;
// Start of each row in Columns, and one entry more for the end of the last row.
[[vk::binding(1)]] StructuredBuffer<uint> Rows;
[[vk::binding(2)]] StructuredBuffer<uint> Columns;
[[vk::binding(3)]] StructuredBuffer<uint> Vector;

static const uint c_short = 32;
static const uint c_medium = 1024;

uint Product(uint k)
{
    uint column = Columns[k];
    return (column * 7 + k + 1) * Vector[column];
}

uint Sum(uint first, uint last, uint thread, uint threads)
{
    uint sum = 0;
    for (uint k = first + thread; k < last; k += threads)
        sum += Product(k);
    return sum;
}

groupshared uint Sums[256];

void Together(uint row, uint first, uint last, uint thread, uint threads)
{
    Sums[thread] = Sum(first, last, thread, threads);
    GroupMemoryBarrierWithGroupSync();
    for (uint half = threads / 2; half != 0; half /= 2)
    {
        if (thread < half)
            Sums[thread] += Sums[thread + half];
        GroupMemoryBarrierWithGroupSync();
    }
    if (thread == 0)
        Out[row] = Sums[0];
}
