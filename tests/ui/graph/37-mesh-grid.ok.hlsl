// A mesh node whose grids have 2^22 groups at most.
struct Work { uint2 grid : SV_DispatchGrid; };
struct Vertex { float4 position : SV_Position; };
[Shader("node")] [NodeLaunch("mesh")] [NodeMaxDispatchGrid(2048, 2048, 1)] [NumThreads(3, 1, 1)] [OutputTopology("line")]
void Draw(
    DispatchNodeInputRecord<Work> input, uint thread : SV_GroupIndex, out vertices Vertex verts[3],
    out indices uint2 lines[2])
{
    SetMeshOutputCounts(3, 2);
    verts[thread].position = thread;
    if (thread < 2) lines[thread] = uint2(thread, thread + 1);
}
