// Every record becomes several, on each of four paths: the worst case happens. With the least memory, a scheduled run
// finishes only if it leaves each stage the pages of one workgroup and continues at the deepest stage.

RWStructuredBuffer<uint> Result : register(u0);

struct Item
{
    uint id;
    uint way;
};

[Shader("node")]
[NodeLaunch("thread")]
[NodeIsProgramEntry]
void Start(ThreadNodeInputRecord<Item> input, [MaxRecords(4)] NodeOutput<Item> Grow)
{
    ThreadNodeOutputRecords<Item> made = Grow.GetThreadNodeOutputRecords(4);
    for (uint i = 0; i < 4; i++)
    {
        made.Get(i).id = input.Get().id;
        made.Get(i).way = i + 1;
    }
    made.OutputComplete();
}

[Shader("node")]
[NodeLaunch("thread")]
void Grow(ThreadNodeInputRecord<Item> input, [MaxRecords(3)] NodeOutput<Item> Fan)
{
    ThreadNodeOutputRecords<Item> made = Fan.GetThreadNodeOutputRecords(3);
    for (uint i = 0; i < 3; i++)
    {
        made.Get(i).id = input.Get().id;
        made.Get(i).way = input.Get().way * 4 + i;
    }
    made.OutputComplete();
}

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(3, 1, 1)]
[NumThreads(8, 1, 1)]
void Fan(uint group : SV_GroupID, uint thread : SV_GroupIndex, DispatchNodeInputRecord<Item> input,
    [MaxRecords(16)] NodeOutput<Item> Leaf)
{
    GroupNodeOutputRecords<Item> made = Leaf.GetGroupNodeOutputRecords(16);
    for (uint i = thread; i < 16; i += 8)
    {
        made.Get(i).id = input.Get().id;
        made.Get(i).way = (input.Get().way * 3 + group) * 16 + i;
    }
    made.OutputComplete();
}

[Shader("node")]
[NodeLaunch("thread")]
void Leaf(ThreadNodeInputRecord<Item> input)
{
    InterlockedAdd(Result[0], 1);
    InterlockedAdd(Result[1], input.Get().id * input.Get().way);
    InterlockedXor(Result[2], input.Get().id * 40503 + input.Get().way * 2654435761);
}
