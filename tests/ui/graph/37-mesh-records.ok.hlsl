// Nodes of one array, of which two give the number of all; those of another have one each.
struct Vertex { float4 position : SV_Position; };
#define MESH(name, n) [Shader("node")] [NodeLaunch("mesh")] [NodeID(name, n)] [NodeDispatchGrid(1, 1, 1)] [NumThreads(3, 1, 1)] [OutputTopology("triangle")]
MESH("Draw", 0) [NodeMaxInputRecordsPerGraphEntryRecord(64, true)]
void First(out vertices Vertex verts[3], out indices uint3 triangles[1]) { SetMeshOutputCounts(0, 0); }
MESH("Draw", 1) [NodeMaxInputRecordsPerGraphEntryRecord(64, true)]
void Second(out vertices Vertex verts[3], out indices uint3 triangles[1]) { SetMeshOutputCounts(0, 0); }
MESH("Draw", 2)
void Third(out vertices Vertex verts[3], out indices uint3 triangles[1]) { SetMeshOutputCounts(0, 0); }
MESH("Other", 0) [NodeMaxInputRecordsPerGraphEntryRecord(64)]
void Fourth(out vertices Vertex verts[3], out indices uint3 triangles[1]) { SetMeshOutputCounts(0, 0); }
MESH("Other", 1) [NodeMaxInputRecordsPerGraphEntryRecord(32, false)]
void Fifth(out vertices Vertex verts[3], out indices uint3 triangles[1]) { SetMeshOutputCounts(0, 0); }
