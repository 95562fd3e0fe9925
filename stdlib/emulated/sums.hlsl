// Running sums over the threads of a workgroup, for kernels that take them several times (gather, scan). They have
// WG_SUMS_THREADS threads.

static const uint WG_SUMS_THREADS = 128u;

groupshared uint64_t wg_sums[128];

// Returns the sum over the threads before this one. The last element keeps the sum of all until the next call. Every thread calls it.
uint64_t wgc_sums_before(uint thread, uint64_t own)
{
    GroupMemoryBarrierWithGroupSync();
    wg_sums[thread] = own;
    GroupMemoryBarrierWithGroupSync();
    for (uint step = 1u; step < WG_SUMS_THREADS; step *= 2u)
    {
        uint64_t below = 0u;
        if (thread >= step)
        {
            below = wg_sums[thread - step];
        }
        GroupMemoryBarrierWithGroupSync();
        wg_sums[thread] += below;
        GroupMemoryBarrierWithGroupSync();
    }
    return wg_sums[thread] - own;
}
