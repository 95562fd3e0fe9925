// Launch modes, grids in every form, entries, indexes, recursion, shared inputs.
RWStructuredBuffer<uint> Out : register(u0);
struct Plain { uint v; };
struct One { uint grid : SV_DispatchGrid; uint v; };
struct Two { uint v; uint16_t2 grid : SV_DispatchGrid; };
struct Place { uint v; uint3 grid : SV_DispatchGrid; };
struct Nested { float a; Place place; };
struct Listed { uint v; uint grid[3] : SV_DispatchGrid; };

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(2, 3, 4)] [NumThreads(4, 2, 1)]
void Fixed(DispatchNodeInputRecord<Plain> input, uint3 thread : SV_DispatchThreadID) { Out[thread.x] = input.Get().v; }
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(1, 1, 1)] [NodeIsProgramEntry]
void Alone() { Out[0] = 1; }
[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(16, 1, 1)] [NumThreads(64, 1, 1)]
void Scalar(DispatchNodeInputRecord<One> input) { Out[input.Get().v] = input.Get().grid; }
[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(16, 8, 1)] [NumThreads(64, 1, 1)]
void Vector(RWDispatchNodeInputRecord<Two> input) { Out[input.Get().grid.y] = input.Get().v; }
[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(16, 8, 2)] [NumThreads(64, 1, 1)]
void Inside(DispatchNodeInputRecord<Nested> input) { Out[input.Get().place.grid.z] = input.Get().place.v; }
[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(16, 8, 2)] [NumThreads(64, 1, 1)]
void Retyped(DispatchNodeInputRecord<Listed> input) { Out[input.Get().grid[2]] = input.Get().v; }
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(5, 1, 1)] [NumThreads(8, 1, 1)]
[NodeShareInputOf("Retyped")]
void Shares(DispatchNodeInputRecord<Listed> input) { Out[1] = input.Get().v; }

[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(32, 1, 1)] [NodeID("Gather", 3)]
void Several([MaxRecords(7)] GroupNodeInputRecords<Plain> input, uint thread : SV_GroupIndex)
{
    if (thread < input.Count()) Out[thread] = input[thread].v;
}
[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(32, 1, 1)] [NodeID("Counted", 4)]
void Counts([MaxRecords(9)] EmptyNodeInput input) { Out[0] = input.Count(); }

[Shader("node")] [NodeLaunch("thread")] [NodeMaxRecursionDepth(5)]
void Again(RWThreadNodeInputRecord<Plain> input, [MaxRecords(2)] [NodeID("Again")] NodeOutput<Plain> self)
{
    bool goes = GetRemainingRecursionLevels() != 0 && input.Get().v > 1;
    ThreadNodeOutputRecords<Plain> next = self.GetThreadNodeOutputRecords(goes ? 2 : 0);
    if (goes) { next.Get(0).v = input.Get().v / 2; next.Get(1).v = 0; }
    next.OutputComplete();
}
