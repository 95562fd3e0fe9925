RWStructuredBuffer<uint> Result : register(u0);
struct Item { uint id; };
// In the worst case 4^16 records for each entry, more than any memory holds: the emulated target admits as many as fit.
[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry] [NodeMaxRecursionDepth(16)]
void Walk(ThreadNodeInputRecord<Item> input, [MaxRecords(4)] [NodeID("Walk")] NodeOutput<Item> next)
{
    InterlockedAdd(Result[0], 1);
    InterlockedAdd(Result[1], input.Get().id);
    uint n = GetRemainingRecursionLevels() == 0 ? 0 : (input.Get().id % 3 == 0 ? 2 : 1);
    ThreadNodeOutputRecords<Item> made = next.GetThreadNodeOutputRecords(n);
    for (uint i = 0; i < n; i++) made.Get(i).id = input.Get().id + 1 + i;
    made.OutputComplete();
}
