// Each record produces up to 256 others, with THREADS threads.

#include "spread.hlsli"

struct Seed { uint id; };

[[vk::binding(0)]] RWStructuredBuffer<uint> Out;

[Shader("node")] [NodeLaunch("broadcasting")] [NodeIsProgramEntry] [NodeDispatchGrid(1, 1, 1)] [NumThreads(THREADS, 1, 1)]
void Spread(DispatchNodeInputRecord<Seed> input, uint thread : SV_GroupIndex, [MaxRecords(256)] NodeOutput<Part> Take)
{
    uint id = input.Get().id, count = Count(id);
    GroupNodeOutputRecords<Part> made = Take.GetGroupNodeOutputRecords(count);
    for (uint i = thread; i < count; i += THREADS)
        made.Get(i) = Made(id, i);
    made.OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")]
void Take(ThreadNodeInputRecord<Part> input)
{
    Out[Place(input.Get())] = Value(input.Get());
}
