//! library
// In a library, DXC's validator checks the outputs of mesh nodes, so they are checked here.
struct Vertex { float4 position : SV_Position; };
#define NODE [Shader("node")] [NodeLaunch("mesh")] [NodeDispatchGrid(4, 1, 1)] [NumThreads(32, 1, 1)] [OutputTopology("triangle")]
#define OUT uint thread : SV_GroupIndex, uint group : SV_GroupID, out vertices Vertex v[32], out indices uint3 t[32]
NODE void Good(OUT) { SetMeshOutputCounts(32, 32); v[thread].position = 0; t[thread] = 0; }
NODE void Late(OUT) {
    v[thread].position = 0; //~ ERROR WG0367
    SetMeshOutputCounts(32, 32);
}
NODE void Reads(OUT) {
    SetMeshOutputCounts(32, 32);
    v[thread].position += 1; //~ ERROR WG0365
}

// An ordinary mesh shader is none of this library's nodes: nothing in it is judged.
struct Payload { uint first; };
[Shader("mesh")] [NumThreads(128, 1, 1)] [OutputTopology("point")]
void Ordinary(in payload Payload p, uint view : SV_ViewID, out vertices float3 v[300], out indices uint t[300]) {
    t[0] = t[1] + p.first;
    SetMeshOutputCounts(1, 1);
    SetMeshOutputCounts(2, 2);
}
