// 16,384 + 31,748 + 8 x 128 = 49,156
struct R { uint data[32]; };
groupshared uint table[7936];
groupshared uint one_more;
uint read(uint at) { return table[at] + one_more; }
[Shader("node")] [NodeLaunch("thread")] void next(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(2, 1, 1)] [NumThreads(32, 1, 1)] void wide([MaxRecords(128)] NodeOutput<R> next, uint lane : SV_GroupIndex) //~ ERROR WG0422
{
    GroupNodeOutputRecords<R> r = next.GetGroupNodeOutputRecords(1);
    r.Get().data[0] = read(lane);
    r.OutputComplete();
}
