// Valid outputs, by indexes that are known here, at run time, and when the pipeline is created.
struct R { uint id; };
RWStructuredBuffer<uint> Out;
[[vk::constant_id(3)]] const uint Size = 4;

[Shader("node")] [NodeLaunch("thread")]
void Ask(ThreadNodeInputRecord<R> i,
         [MaxRecords(1)] [NodeArraySize(2)] [NodeID("Kind")] NodeOutputArray<R> kinds,
         [MaxRecords(1)] [NodeArraySize(Size)] [AllowSparseNodes] [NodeID("Kind")] NodeOutputArray<R> grows,
         [MaxRecords(1)] [UnboundedSparseNodes] [NodeID("Kind")] NodeOutputArray<R> endless)
{
    Out[0] = kinds[1].IsValid() ? 1 : 0;
    Out[1] = kinds[2].IsValid() ? 1 : 0;
    Out[2] = kinds[i.Get().id].IsValid() ? 1 : 0;
    Out[3] = grows[5].IsValid() ? 1 : 0;
    Out[4] = endless[i.Get().id].IsValid() ? 1 : 0;
}

[Shader("node")] [NodeLaunch("thread")] [NodeID("Kind", 0)] void K0(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeID("Kind", 1)] void K1(ThreadNodeInputRecord<R> i) { }
