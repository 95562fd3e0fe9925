// Code that reads the place of its thread, fused: a producer that never reads its record, a helper, and a chain below a
// recursive node.

struct R { uint a; };
RWStructuredBuffer<uint> Out;
[[vk::ext_builtin_input(26)]] static const uint3 Group;

// Each record has a grid of its own, so the group is 0 or 1.
[noinline] uint Helper() { return Group.x; }

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(2, 1, 1)] [NumThreads(2, 1, 1)]
void Start(DispatchNodeInputRecord<R> input, uint3 group : SV_GroupID, uint3 id : SV_DispatchThreadID,
    [MaxRecords(2)] NodeOutput<R> Add)
{
    InterlockedAdd(Out[0], Helper());
    ThreadNodeOutputRecords<R> add = Add.GetThreadNodeOutputRecords(1);
    add.Get().a = group.x * 16 + id.x;
    add.OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")]
void Add(ThreadNodeInputRecord<R> input) { InterlockedAdd(Out[1], input.Get().a); }

[Shader("node")] [NodeLaunch("thread")] [NodeMaxRecursionDepth(3)]
void Down(ThreadNodeInputRecord<R> input, [MaxRecords(1)] NodeOutput<R> Half, [MaxRecords(1)] NodeOutput<R> Down)
{
    bool goes = GetRemainingRecursionLevels() != 0;
    ThreadNodeOutputRecords<R> half = Half.GetThreadNodeOutputRecords(1);
    half.Get().a = input.Get().a;
    half.OutputComplete();
    ThreadNodeOutputRecords<R> down = Down.GetThreadNodeOutputRecords(goes ? 1 : 0);
    if (goes)
        down.Get().a = input.Get().a * 2;
    down.OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")]
void Half(ThreadNodeInputRecord<R> input, [MaxRecords(3)] NodeOutput<R> Sum)
{
    ThreadNodeOutputRecords<R> sum = Sum.GetThreadNodeOutputRecords(3);
    for (uint i = 0; i < 3; i++)
        sum.Get(i).a = input.Get().a + i;
    sum.OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")]
void Sum(ThreadNodeInputRecord<R> input) { InterlockedAdd(Out[2], input.Get().a); }
