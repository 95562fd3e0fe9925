// A mesh node of triangles.
struct Vertex { float4 position : SV_Position; };
[Shader("node")] [NodeLaunch("mesh")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(3, 1, 1)] [OutputTopology("triangle")]
void Draw(uint thread : SV_GroupIndex, out vertices Vertex verts[3], out indices uint3 triangles[1])
{
    SetMeshOutputCounts(3, 1);
    verts[thread].position = thread;
    if (thread == 0) triangles[0] = uint3(0, 1, 2);
}
