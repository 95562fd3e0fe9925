// Nodes that share one record of local root arguments have the same ones, so bindings can replace them: on every target.
LocalRootSignature Own = { "CBV(b3), UAV(u1), RootConstants(num32BitConstants = 2, b4)" };

struct Item { uint depth; };

cbuffer Limits : register(b3) { uint most; };
cbuffer Step : register(b4) { uint left; uint right; };
RWStructuredBuffer<uint> Seen : register(u1);

[Shader("node")] [NodeLaunch("thread")] [NodeLocalRootArgumentsTableIndex(2)] [NodeMaxRecursionDepth(3)]
void Walk(ThreadNodeInputRecord<Item> input, [MaxRecords(2)] NodeOutput<Item> Walk, [MaxRecords(1)] NodeOutput<Item> Leaf)
{
    uint depth = input.Get().depth;
    InterlockedAdd(Seen[depth], left);
    bool deeper = depth < most && Walk.IsValid();
    ThreadNodeOutputRecords<Item> next = Walk.GetThreadNodeOutputRecords(deeper ? 2 : 0);
    if (deeper)
    {
        next.Get(0).depth = depth + 1;
        next.Get(1).depth = depth + 1;
    }
    next.OutputComplete();
    ThreadNodeOutputRecords<Item> leaf = Leaf.GetThreadNodeOutputRecords(deeper ? 0 : 1);
    if (!deeper)
        leaf.Get().depth = depth;
    leaf.OutputComplete();
}

[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(4, 1, 1)] [NodeLocalRootArgumentsTableIndex(2)]
void Leaf([MaxRecords(4)] GroupNodeInputRecords<Item> input, uint thread : SV_GroupIndex)
{
    if (thread < input.Count())
        InterlockedAdd(Seen[4], right * input.Get(thread).depth);
}
