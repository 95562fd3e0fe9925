// A random half of all threads send to one queue, which TAKERS nodes share.

#include "hot.hlsli"

// A grid has at most 65,535 workgroups in one direction.
struct Batch { uint2 groups : SV_DispatchGrid; uint count; };

[[vk::binding(0)]] RWStructuredBuffer<uint> Out;

// Each thread does the work of EACH senders.
[Shader("node")] [NodeLaunch("broadcasting")] [NodeIsProgramEntry]
[NodeMaxDispatchGrid(GROUPS_X, GROUPS_Y, 1)] [NumThreads(64, 1, 1)]
void Send(DispatchNodeInputRecord<Batch> input, uint3 group : SV_GroupID, uint thread : SV_GroupIndex,
    [MaxRecords(64 * EACH)] NodeOutput<Item> Take0)
{
    uint first = (group.y * GROUPS_X + group.x) * 64 * EACH + thread, senders = 0, count = 0;
    for (uint i = 0; i < EACH; i++)
    {
        uint id = first + i * 64;
        if (id < input.Get().count && Sends(id))
        {
            senders |= 1u << i;
            count++;
        }
    }
    ThreadNodeOutputRecords<Item> made = Take0.GetThreadNodeOutputRecords(count);
    for (uint k = 0; k < count; k++)
    {
        made.Get(k) = Made(first + firstbitlow(senders) * 64);
        senders &= senders - 1;
    }
    made.OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")]
void Take0(ThreadNodeInputRecord<Item> input)
{
    Out[input.Get().id * TAKERS] = Value(input.Get(), 0);
}

#if TAKERS == 4
#define TAKE(n)                                                                                 \
    [Shader("node")] [NodeLaunch("thread")] [NodeShareInputOf("Take0")]                         \
    void Take##n(ThreadNodeInputRecord<Item> input)                                             \
    {                                                                                           \
        Out[input.Get().id * TAKERS + n] = Value(input.Get(), n);                               \
    }
TAKE(1)
TAKE(2)
TAKE(3)
#endif
