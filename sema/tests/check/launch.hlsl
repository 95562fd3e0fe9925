// What a launch mode does not have.
struct R { uint a; };
groupshared uint Shared;
[Shader("node")] [NodeLaunch("thread")]
void T(RWThreadNodeInputRecord<R> input, [MaxRecords(1)] NodeOutput<R> output, [MaxRecords(1)] EmptyNodeOutput empty) {
    GroupMemoryBarrier();                       //~ WG0226
    AllMemoryBarrierWithGroupSync();            //~ WG0226
    AllMemoryBarrier();
    Barrier(UAV_MEMORY, GROUP_SYNC);            //~ WG0226
    Barrier(ALL_MEMORY, DEVICE_SCOPE);
    Barrier(UAV_MEMORY | GROUP_SHARED_MEMORY, DEVICE_SCOPE); //~ WG0226
    output.GetGroupNodeOutputRecords(1).OutputComplete(); //~ WG0226
    empty.GroupIncrementOutputCount(1);         //~ WG0226
    empty.ThreadIncrementOutputCount(1);
    Barrier(input, 0);
    Barrier(input, GROUP_SCOPE);                //~ WG0218
}
[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(4, 1, 1)]
void C([MaxRecords(4)] RWGroupNodeInputRecords<R> input, [MaxRecords(1)] NodeOutput<R> output) {
    GroupMemoryBarrierWithGroupSync();
    GroupNodeOutputRecords<R> r = output.GetGroupNodeOutputRecords(1);
    r[0] = input[0];
    r.OutputComplete();
    Barrier(input, GROUP_SCOPE | GROUP_SYNC);
    Barrier(input, DEVICE_SCOPE);               //~ WG0218
}
