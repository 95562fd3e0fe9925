// A chain whose first three nodes are entries, so that each of them waits for its own admission. The first sends
// 64 times as many records as it receives. They all share the free pages.

RWStructuredBuffer<uint> Result : register(u0);

struct Item
{
    uint value;
    uint pad[3];
};

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(64, 1, 1)] [NodeIsProgramEntry]
void First(DispatchNodeInputRecord<Item> input, uint thread : SV_GroupIndex, [MaxRecords(64)] NodeOutput<Item> Second)
{
    ThreadNodeOutputRecords<Item> made = Second.GetThreadNodeOutputRecords(1);
    made.Get() = input.Get();
    made.Get().value += thread;
    made.OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry]
void Second(ThreadNodeInputRecord<Item> input, [MaxRecords(1)] NodeOutput<Item> Third)
{
    ThreadNodeOutputRecords<Item> made = Third.GetThreadNodeOutputRecords(1);
    made.Get() = input.Get();
    made.OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry]
void Third(ThreadNodeInputRecord<Item> input, [MaxRecords(1)] NodeOutput<Item> Last)
{
    ThreadNodeOutputRecords<Item> made = Last.GetThreadNodeOutputRecords(1);
    made.Get() = input.Get();
    made.OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")]
void Last(ThreadNodeInputRecord<Item> input)
{
    InterlockedAdd(Result[0], input.Get().value);
    InterlockedAdd(Result[1], 1);
}
