// Barriers with each scope and each kind of memory, and the end of sharing a record.
globallycoherent RWStructuredBuffer<uint> Out : register(u0);
groupshared uint sum;
struct [NodeTrackRWInputSharing] Shared { uint3 grid : SV_DispatchGrid; uint slots[4]; };
struct Work { uint3 grid : SV_DispatchGrid; uint slots[2]; };

[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(4, 1, 1)] [NumThreads(32, 1, 1)]
void Finish(globallycoherent RWDispatchNodeInputRecord<Shared> input, uint3 group : SV_GroupID, uint thread : SV_GroupIndex,
            [MaxRecords(1)] NodeOutput<Work> Next)
{
    input.Get().slots[group.x & 3] = thread;
    Barrier(NODE_INPUT_MEMORY, DEVICE_SCOPE | GROUP_SYNC);
    if (!input.FinishedCrossGroupSharing()) return;
    GroupNodeOutputRecords<Work> next = Next.GetGroupNodeOutputRecords(1);
    if (thread == 0) { next.Get().grid = 1; next.Get().slots[0] = input.Get().slots[0]; }
    Barrier(NODE_OUTPUT_MEMORY, GROUP_SCOPE | GROUP_SYNC);
    if (thread == 1) next.Get().slots[1] = 2;
    next.OutputComplete();
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(4, 1, 1)] [NumThreads(32, 1, 1)]
void Next(DispatchNodeInputRecord<Work> input, uint thread : SV_GroupIndex)
{
    if (thread == 0) sum = input.Get().slots[1];
    Barrier(GROUP_SHARED_MEMORY, GROUP_SCOPE | GROUP_SYNC);
    Out[thread] = sum;
    Barrier(UAV_MEMORY, DEVICE_SCOPE);
    Barrier(UAV_MEMORY | GROUP_SHARED_MEMORY, GROUP_SCOPE);
    Barrier(Out, DEVICE_SCOPE | GROUP_SYNC);
    Barrier(ALL_MEMORY, DEVICE_SCOPE | GROUP_SYNC);
    Barrier(0, GROUP_SYNC);
    GroupMemoryBarrierWithGroupSync();
    DeviceMemoryBarrier();
    AllMemoryBarrierWithGroupSync();
    Out[thread + 32] = sum;
}

[Shader("node")] [NodeLaunch("thread")]
void Root([MaxRecords(1)] NodeOutput<Shared> Finish)
{
    ThreadNodeOutputRecords<Shared> record = Finish.GetThreadNodeOutputRecords(1);
    record.Get().grid = uint3(4, 1, 1);
    record.Get().slots[0] = 0;
    record.OutputComplete();
}
