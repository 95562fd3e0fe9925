// A mesh node that does not declare its primitives.
struct Vertex { float4 position : SV_Position; };
[Shader("node")] [NodeLaunch("mesh")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(3, 1, 1)]
void Draw(uint thread : SV_GroupIndex, out vertices Vertex verts[3], out indices uint3 triangles[1]) //~ ERROR WG0360
{
    SetMeshOutputCounts(3, 1);
    verts[thread].position = thread;
    if (thread == 0) triangles[0] = uint3(0, 1, 2);
}
