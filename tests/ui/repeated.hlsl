// Attributes that are given twice: on functions the last one counts, as DXC has it.
struct R { uint x; };
[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(4, 1, 1)] [NumThreads(8, 1, 1)] //~ WARN WG0122
void group([MaxRecords(2)] GroupNodeInputRecords<R> i) { }
[Shader("node")] [NodeLaunch("thread")]
void owner(ThreadNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("thread")] [NodeShareInputOf("nobody")] [NodeShareInputOf("owner")] //~ WARN WG0122
void sharer(ThreadNodeInputRecord<R> i) { }
// An identical repetition is no question.
[Shader("node")] [NodeLaunch("thread")] [NodeLaunch("thread")] //~ WARN WG0122
void same(ThreadNodeInputRecord<R> i, [MaxRecords(1)] [MaxRecords(1)] NodeOutput<R> group) { }
// On parameters they contradict each other.
[Shader("node")] [NodeLaunch("thread")]
void contradicts([MaxRecords(1)] [MaxRecords(2)] NodeOutput<R> group) { } //~ ERROR WG0122
// So do two launch modes, on which all else depends: nothing more is reported about these nodes.
[Shader("node")] [NodeLaunch("thread")] [NodeLaunch("broadcasting")] //~ ERROR WG0122
void modes(ThreadNodeInputRecord<R> i, [MaxRecords(1)] [NodeID("owner")] NodeOutput<R> o)
{
    ThreadNodeOutputRecords<R> r = o.GetThreadNodeOutputRecords(1);
    r.OutputComplete();
}
[Shader("node")] [NodeLaunch("broadcasting")] [NodeLaunch("coalescing")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(4, 1, 1)] //~ ERROR WG0122
void grids(DispatchNodeInputRecord<R> i, uint3 g : SV_GroupID) { }
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(4, 1, 1)] [NodeLaunch("mesh")] //~ ERROR WG0122
void meshes(DispatchNodeInputRecord<R> i) { }
[Shader("node")] [NodeLaunch("mesh")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(4, 1, 1)] [NodeLaunch("broadcasting")] [OutputTopology("triangle")] //~ ERROR WG0122
void drawn(DispatchNodeInputRecord<R> i, out indices uint3 t[1], out vertices float4 v[3] : SV_Position)
{
    SetMeshOutputCounts(0, 0);
}
