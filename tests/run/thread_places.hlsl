// A thread node has one group of one thread, also inside a fused producer that runs in groups. Inline SPIR-V changes a static
// variable of the producer only.
RWStructuredBuffer<uint> Out;

struct Item { uint place, seen; };

[[vk::ext_builtin_input(26)]] static const uint3 Group;
[[vk::ext_builtin_input(27)]] static const uint3 ThreadInGroup;
[[vk::ext_builtin_input(28)]] static const uint3 Thread;
[[vk::ext_builtin_input(29)]] static const uint Index;
[[vk::ext_instruction(62)]] void StoreTo([[vk::ext_reference]] uint place, uint value);

static uint level = 4;

[Shader("node")] [NodeLaunch("broadcasting")] [NodeIsProgramEntry] [NodeDispatchGrid(2, 1, 1)] [NumThreads(4, 1, 1)]
void Spread(uint3 thread : SV_DispatchThreadID, [MaxRecords(4)] NodeOutput<Item> Place)
{
    ThreadNodeOutputRecords<Item> item = Place.GetThreadNodeOutputRecords(1);
    item.Get().place = thread.x;
    item.Get().seen = 0;
    item.OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")]
void Place(ThreadNodeInputRecord<Item> item)
{
    Out[item.Get().place] = 1 + Group.x * 1000 + ThreadInGroup.x * 100 + Thread.x * 10 + Index;
}

[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry]
void Raise([MaxRecords(1)] NodeOutput<Item> Read)
{
    StoreTo(level, 40);
    ThreadNodeOutputRecords<Item> item = Read.GetThreadNodeOutputRecords(1);
    item.Get().place = 8;
    item.Get().seen = level;
    item.OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")]
void Read(ThreadNodeInputRecord<Item> item, [MaxRecords(1)] NodeOutput<Item> Write)
{
    ThreadNodeOutputRecords<Item> next = Write.GetThreadNodeOutputRecords(1);
    next.Get().place = item.Get().place;
    next.Get().seen = item.Get().seen * 100 + level;
    next.OutputComplete();
}

[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(1, 1, 1)]
void Write([MaxRecords(1)] GroupNodeInputRecords<Item> item)
{
    Out[item.Get().place] = item.Get().seen;
}
