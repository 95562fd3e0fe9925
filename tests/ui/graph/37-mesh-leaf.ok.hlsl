// A mesh node at the end of a graph, next to one that shares its input and sends on.
struct Work { uint3 grid : SV_DispatchGrid; uint x; };
struct Vertex { float4 position : SV_Position; };

[Shader("node")] [NodeLaunch("thread")]
void Root([MaxRecords(1)] NodeOutput<Work> Draw)
{
    ThreadNodeOutputRecords<Work> record = Draw.GetThreadNodeOutputRecords(1);
    record.Get().grid = 1;
    record.Get().x = 2;
    record.OutputComplete();
}

[Shader("node")] [NodeLaunch("mesh")] [NodeMaxDispatchGrid(8, 8, 1)] [NumThreads(32, 1, 1)] [OutputTopology("triangle")]
void Draw(
    DispatchNodeInputRecord<Work> input, uint thread : SV_GroupIndex, out vertices Vertex verts[32],
    out indices uint3 triangles[30])
{
    SetMeshOutputCounts(32, 30);
    verts[thread].position = input.Get().x;
}

[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(1, 1, 1)]
void Count([MaxRecords(8)] EmptyNodeInput input) { }

[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(8, 8, 1)] [NumThreads(32, 1, 1)] [NodeShareInputOf("Draw")]
void Beside(DispatchNodeInputRecord<Work> input, [MaxRecords(1)] EmptyNodeOutput Count) { Count.GroupIncrementOutputCount(1); }
