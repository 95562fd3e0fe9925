// Thread nodes that ask as groups of one thread, and groups that take more records than any group may send.
RWStructuredBuffer<uint> Out : register(u0);
struct R { uint value; };

[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry]
void Start(ThreadNodeInputRecord<R> input, [MaxRecords(2)] NodeOutput<R> Gather, [MaxRecords(3)] EmptyNodeOutput Ticks)
{
    GroupNodeOutputRecords<R> sent = Gather.GetGroupNodeOutputRecords(2);
    sent[0].value = input.Get().value;
    sent[1].value = 2 * input.Get().value;
    sent.OutputComplete();
    Ticks.GroupIncrementOutputCount(3);
}

groupshared uint Sum;

[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(64, 1, 1)]
void Gather([MaxRecords(512)] GroupNodeInputRecords<R> input, uint thread : SV_GroupIndex)
{
    if (thread == 0)
        Sum = 0;
    GroupMemoryBarrierWithGroupSync();
    for (uint n = thread; n < input.Count(); n += 64)
        InterlockedAdd(Sum, input[n].value);
    GroupMemoryBarrierWithGroupSync();
    if (thread != 0)
        return;
    InterlockedAdd(Out[0], Sum);
    InterlockedAdd(Out[1], input.Count());
    if (input.Count() > 512)
        InterlockedAdd(Out[2], 1);
}

[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(1, 1, 1)]
void Ticks([MaxRecords(4000000000)] EmptyNodeInput input) { InterlockedAdd(Out[3], input.Count()); }
