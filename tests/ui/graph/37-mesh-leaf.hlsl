// A mesh node in the middle of a graph.
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
    out indices uint3 triangles[30],
    [MaxRecords(1)] EmptyNodeOutput Count) //~ ERROR WG0364
{
    SetMeshOutputCounts(32, 30);
    verts[thread].position = input.Get().x;
    Count.GroupIncrementOutputCount(1);
}

[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(1, 1, 1)]
void Count() { }
