// Sums over a thread group: waves add themselves up, then the waves' sums are added.
#ifndef BVH_WAVE_SCAN_HLSLI
#define BVH_WAVE_SCAN_HLSLI

#ifndef GROUP_THREADS
#error "GROUP_THREADS is the size of the group"
#endif

groupshared uint g_waveSums[GROUP_THREADS];

struct ScanResult
{
    uint before;
    uint total;
};

// Threads are in waves in their order. Every thread of the group must call this.
ScanResult GroupScan(uint value, uint thread)
{
    const uint lanes = WaveGetLaneCount();
    const uint wave = thread / lanes;
    const uint waves = (GROUP_THREADS + lanes - 1) / lanes;

    const uint inWave = WavePrefixSum(value);
    const uint waveSum = WaveActiveSum(value);
    if (WaveIsFirstLane())
        g_waveSums[wave] = waveSum;
    GroupMemoryBarrierWithGroupSync();

    ScanResult result = { inWave, 0 };
    for (uint w = 0; w < waves; ++w)
    {
        const uint sum = g_waveSums[w];
        if (w < wave)
            result.before += sum;
        result.total += sum;
    }
    GroupMemoryBarrierWithGroupSync();
    return result;
}

#endif
