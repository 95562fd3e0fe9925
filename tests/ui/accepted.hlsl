// A correct graph with each launch mode: no diagnostics.
RWStructuredBuffer<uint> Out : register(u0);
struct Grid { uint16_t2 size : SV_DispatchGrid; uint value; };
struct Item { uint value; };

[Shader("node")] [NodeLaunch("thread")]
void Start(ThreadNodeInputRecord<Item> input, [MaxRecords(1)] NodeOutput<Grid> Spread, [MaxRecords(3)] EmptyNodeOutput Tick)
{
    ThreadNodeOutputRecords<Grid> r = Spread.GetThreadNodeOutputRecords(1);
    r.Get().size = uint16_t2(2, 2);
    r.Get().value = input.Get().value;
    r.OutputComplete();
    Tick.ThreadIncrementOutputCount(3);
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(2, 2, 1)] [NumThreads(4, 1, 1)]
void Spread(DispatchNodeInputRecord<Grid> input, uint3 id : SV_DispatchThreadID)
{
    InterlockedAdd(Out[id.x & 3], input.Get().value);
}

[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(4, 1, 1)]
void Tick([MaxRecords(4)] EmptyNodeInput input, uint lane : SV_GroupIndex)
{
    if (lane == 0) InterlockedAdd(Out[4], input.Count());
}
