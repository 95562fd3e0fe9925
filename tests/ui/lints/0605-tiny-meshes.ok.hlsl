//! hints
struct R { uint mesh; };
struct Many { uint3 grid : SV_DispatchGrid; uint meshes[8]; };
struct Vertex { float4 position : SV_Position; };

[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(8, 1, 1)]
void gather([MaxRecords(8)] GroupNodeInputRecords<R> input, uint i : SV_GroupIndex, [MaxRecords(1)] NodeOutput<Many> draw)
{
    GroupNodeOutputRecords<Many> record = draw.GetGroupNodeOutputRecords(1);
    record.Get().grid = uint3(input.Count(), 1, 1);
    if (i < input.Count())
        record.Get().meshes[i] = input[i].mesh;
    record.OutputComplete();
}

[Shader("node")] [NodeLaunch("mesh")] [NodeMaxDispatchGrid(8, 1, 1)] [NumThreads(32, 1, 1)] [OutputTopology("triangle")]
void draw(DispatchNodeInputRecord<Many> input, uint group : SV_GroupID, out vertices Vertex v[3], out indices uint3 t[1])
{
    SetMeshOutputCounts(input.Get().meshes[group], 0);
}

// A grid that a host starts is one draw.
[Shader("node")] [NodeLaunch("mesh")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(32, 1, 1)] [OutputTopology("triangle")]
void once(DispatchNodeInputRecord<R> input, out vertices Vertex v[3], out indices uint3 t[1])
{
    SetMeshOutputCounts(input.Get().mesh, 0);
}
