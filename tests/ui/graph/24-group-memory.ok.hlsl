// 16,384 + 31,744 + 8 x 128 = 49,152; unused memory does not count.
struct R { uint data[32]; };
groupshared uint table[7936];
groupshared uint one_more;
uint unused() { return one_more; }
uint read(uint at) { return table[at]; }
[Shader("node")] [NodeLaunch("thread")] void next(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(2, 1, 1)] [NumThreads(32, 1, 1)] void wide([MaxRecords(128)] NodeOutput<R> next, uint lane : SV_GroupIndex)
{
    GroupNodeOutputRecords<R> r = next.GetGroupNodeOutputRecords(1);
    r.Get().data[0] = read(lane);
    r.OutputComplete();
}
