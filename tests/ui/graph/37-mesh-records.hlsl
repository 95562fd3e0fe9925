// Nodes of one array that give different numbers for all of them.
struct Vertex { float4 position : SV_Position; };
#define MESH(n) [Shader("node")] [NodeLaunch("mesh")] [NodeID("Draw", n)] [NodeDispatchGrid(1, 1, 1)] [NumThreads(3, 1, 1)] [OutputTopology("triangle")]
MESH(0) [NodeMaxInputRecordsPerGraphEntryRecord(64, true)]
void First(out vertices Vertex verts[3], out indices uint3 triangles[1]) { SetMeshOutputCounts(0, 0); }
MESH(1) [NodeMaxInputRecordsPerGraphEntryRecord(63, true)] //~ ERROR WG0372
void Second(out vertices Vertex verts[3], out indices uint3 triangles[1]) { SetMeshOutputCounts(0, 0); }
MESH(2) [NodeMaxInputRecordsPerGraphEntryRecord(64, false)] //~ ERROR WG0372
void Third(out vertices Vertex verts[3], out indices uint3 triangles[1]) { SetMeshOutputCounts(0, 0); }
