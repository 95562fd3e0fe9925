// Returns before barriers in loops, in branches and in functions: the remaining threads meet there,
// and those that returned do nothing more.

RWStructuredBuffer<uint> Out : register(u0);
RWStructuredBuffer<uint> Log : register(u1);

struct Work { uint count; uint rounds; };

groupshared uint g_sum[16];
groupshared uint g_total;

// The sum over the group, by halves. Threads from `count` on have nothing to add.
uint Reduce(uint thread, uint value, uint count)
{
    g_sum[thread] = thread < count ? value : 0;
    GroupMemoryBarrierWithGroupSync();
    for (uint step = 8; step > 0; step >>= 1) {
        if (thread < step)
            g_sum[thread] += g_sum[thread + step];
        GroupMemoryBarrierWithGroupSync();
    }
    return g_sum[0];
}

// A function that some threads leave early, with a result of their own.
uint Largest(uint thread, uint value)
{
    if (thread >= 8)
        return 1000 + thread;
    if (thread == 0)
        g_total = 0;
    GroupMemoryBarrierWithGroupSync();
    InterlockedMax(g_total, value);
    GroupMemoryBarrierWithGroupSync();
    return g_total;
}

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(16, 1, 1)]
void Sum(DispatchNodeInputRecord<Work> input, uint thread : SV_GroupIndex)
{
    uint count = input.Get().count;
    g_sum[thread] = 0;
    GroupMemoryBarrierWithGroupSync();
    if (thread >= count)
        return;
    // 1 + 2 + .. + count
    uint sum = Reduce(thread, thread + 1, count);
    Out[thread] = sum;
}

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(16, 1, 1)]
void Rounds(DispatchNodeInputRecord<Work> input, uint thread : SV_GroupIndex)
{
    if (thread == 0)
        g_total = 0;
    GroupMemoryBarrierWithGroupSync();
    for (uint round = 0; round < input.Get().rounds; ++round) {
        // In each iteration one thread returns, out of a loop of its own.
        for (uint k = 0; k < 3; ++k) {
            if (k == 1 && thread == round)
                return;
        }
        if (round == 2) {
            if (thread == 15) {
                Log[0] = round;
                return;
            }
            GroupMemoryBarrierWithGroupSync();
        }
        InterlockedAdd(g_total, 1);
        GroupMemoryBarrierWithGroupSync();
        if (thread == 14)
            Log[1 + round] = g_total;
        GroupMemoryBarrierWithGroupSync();
        switch (round) {
        case 3:
            if (thread < 8)
                return;
            GroupMemoryBarrierWithGroupSync();
            break;
        case 4:
            continue;
        default:
            break;
        }
    }
    InterlockedAdd(Log[8], thread);
}

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(16, 1, 1)]
void Highest(DispatchNodeInputRecord<Work> input, uint thread : SV_GroupIndex)
{
    if (thread == input.Get().count)
        return;
    Out[16 + thread] = Largest(thread, thread * 10);
    // All threads of a group return, or none.
    if (input.Get().rounds == 0)
        return;
    GroupMemoryBarrierWithGroupSync();
    Log[10] = 5;
}
