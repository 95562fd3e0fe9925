// A constant element that an array of outputs does not have: it is not valid, just as with an index that is not constant.
RWStructuredBuffer<uint> Result : register(u0);

struct Item { uint id; };

[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry]
void Start(
    ThreadNodeInputRecord<Item> input,
    [MaxRecords(2)] [NodeArraySize(2)] [NodeID("Kind", 1)] NodeOutputArray<Item> kinds)
{
    uint id = input.Get().id;
    if (kinds[1].IsValid())
        InterlockedAdd(Result[0], 1);
    if (kinds[2].IsValid())
        InterlockedAdd(Result[1], 1);
    if (kinds[id].IsValid())
        InterlockedAdd(Result[2], 1);
    ThreadNodeOutputRecords<Item> record = kinds[1].GetThreadNodeOutputRecords(1);
    record.Get().id = id;
    record.OutputComplete();
    kinds[2].GetThreadNodeOutputRecords(kinds[2].IsValid() ? 1 : 0).OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")] [NodeID("Kind", 1)]
void First(ThreadNodeInputRecord<Item> input) { InterlockedAdd(Result[3], 1); }

[Shader("node")] [NodeLaunch("thread")] [NodeID("Kind", 2)]
void Second(ThreadNodeInputRecord<Item> input) { InterlockedAdd(Result[4], input.Get().id); }

// Beyond the end of the array, not of the nodes.
[Shader("node")] [NodeLaunch("thread")] [NodeID("Kind", 3)] [NodeIsProgramEntry]
void Third(ThreadNodeInputRecord<Item> input) { InterlockedAdd(Result[5], 1); }
