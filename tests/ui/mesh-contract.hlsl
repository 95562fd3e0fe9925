// Mistakes in the declaration of a mesh node, each once.
struct Vertex { float4 position : SV_Position; };
struct Work { uint x; };
struct Grid { uint3 grid : SV_DispatchGrid; };
#define NODE [Shader("node")] [NodeLaunch("mesh")]
#define SMALL [NodeDispatchGrid(1, 1, 1)] [NumThreads(32, 1, 1)]
#define OUT out vertices Vertex v[32], out indices uint3 t[32]

// ---- topology
NODE SMALL void T1(OUT) { SetMeshOutputCounts(0, 0); } //~ ERROR WG0360
NODE SMALL [OutputTopology("Triangle")] void T2(OUT) { SetMeshOutputCounts(0, 0); } //~ ERROR WG0360
NODE SMALL [OutputTopology("point")] void T3(OUT) { SetMeshOutputCounts(0, 0); } //~ ERROR WG0360
NODE SMALL [OutputTopology("triangle_cw")] void T4(OUT) { SetMeshOutputCounts(0, 0); } //~ ERROR WG0360
NODE SMALL [OutputTopology(3)] void T5(OUT) { SetMeshOutputCounts(0, 0); } //~ ERROR WG0121

// ---- threads and grids
NODE [NodeDispatchGrid(1, 1, 1)] [NumThreads(129, 1, 1)] [OutputTopology("triangle")]
void N1(OUT) { SetMeshOutputCounts(0, 0); } //~ ERROR WG0309
NODE [NodeDispatchGrid(1, 1, 1)] [NumThreads(16, 8, 2)] [OutputTopology("triangle")]
void N2(OUT) { SetMeshOutputCounts(0, 0); } //~ ERROR WG0309
NODE [NodeDispatchGrid(1, 1, 1)] [OutputTopology("triangle")]
void N3(OUT) { SetMeshOutputCounts(0, 0); } //~ ERROR WG0308
NODE [NumThreads(32, 1, 1)] [OutputTopology("triangle")]
void G1(OUT) { SetMeshOutputCounts(0, 0); } //~ ERROR WG0303
NODE [NodeDispatchGrid(1, 1, 1)] [NodeMaxDispatchGrid(1, 1, 1)] [NumThreads(32, 1, 1)] [OutputTopology("triangle")] //~ ERROR WG0304
void G2(DispatchNodeInputRecord<Grid> i, OUT) { SetMeshOutputCounts(0, 0); }
NODE [NodeMaxDispatchGrid(1, 1, 1)] [NumThreads(32, 1, 1)] [OutputTopology("triangle")]
void G3(DispatchNodeInputRecord<Work> i, OUT) { SetMeshOutputCounts(0, 0); } //~ ERROR WG0306
NODE [NodeMaxDispatchGrid(1, 1, 1)] [NumThreads(32, 1, 1)] [OutputTopology("triangle")]
void G4(OUT) { SetMeshOutputCounts(0, 0); } //~ ERROR WG0306
NODE [NodeDispatchGrid(2048, 2048, 2)] [NumThreads(32, 1, 1)] [OutputTopology("triangle")] //~ ERROR WG0305
void G5(OUT) { SetMeshOutputCounts(0, 0); }
NODE [NodeDispatchGrid(65536, 1, 1)] [NumThreads(32, 1, 1)] [OutputTopology("triangle")] //~ ERROR WG0305
void G6(OUT) { SetMeshOutputCounts(0, 0); }

// ---- attributes
NODE SMALL [OutputTopology("triangle")] [NodeMaxRecursionDepth(2)] void A1(OUT) { SetMeshOutputCounts(0, 0); } //~ ERROR WG0310
[Shader("node")] [NodeLaunch("broadcasting")] SMALL [OutputTopology("triangle")] void A2() { } //~ ERROR WG0310
[Shader("node")] [NodeLaunch("thread")] [NodeMaxInputRecordsPerGraphEntryRecord(4, false)] void A3() { } //~ ERROR WG0310
[Shader("compute")] [NumThreads(1, 1, 1)] [NodeMaxInputRecordsPerGraphEntryRecord(4, true)] void A4() { } //~ ERROR WG0335

// ---- inputs, node outputs, other parameters
NODE SMALL [OutputTopology("triangle")]
void I1(GroupNodeInputRecords<Work> i, OUT) { SetMeshOutputCounts(0, 0); } //~ ERROR WG0311
NODE SMALL [OutputTopology("triangle")]
void I2(EmptyNodeInput i, OUT) { SetMeshOutputCounts(0, 0); } //~ ERROR WG0311
NODE SMALL [OutputTopology("triangle")]
void I3(RWThreadNodeInputRecord<Work> i, OUT) { SetMeshOutputCounts(0, 0); } //~ ERROR WG0311
NODE SMALL [OutputTopology("triangle")]
void I4([MaxRecords(2)] DispatchNodeInputRecord<Work> i, OUT) { SetMeshOutputCounts(0, 0); } //~ ERROR WG0319
NODE SMALL [OutputTopology("triangle")]
void I5(in payload Work i, OUT) { SetMeshOutputCounts(0, 0); } //~ ERROR WG0313
NODE SMALL [OutputTopology("triangle")]
void O1([MaxRecords(1)] NodeOutput<Work> A2, OUT) { SetMeshOutputCounts(0, 0); } //~ ERROR WG0364
NODE SMALL [OutputTopology("triangle")]
void O2([MaxRecords(1)] [NodeArraySize(4)] EmptyNodeOutputArray A2, OUT) { SetMeshOutputCounts(0, 0); } //~ ERROR WG0364
NODE SMALL [OutputTopology("triangle")]
void S1(uint view : SV_ViewID, OUT) { SetMeshOutputCounts(0, 0); } //~ ERROR WG0314
NODE SMALL [OutputTopology("triangle")]
void S2(out uint count : SV_GroupIndex, OUT) { SetMeshOutputCounts(0, 0); } //~ ERROR WG0313
[Shader("node")] [NodeLaunch("broadcasting")] SMALL
void S3(out vertices Vertex v[32]) { } //~ ERROR WG0313

// ---- the arrays
NODE SMALL [OutputTopology("triangle")] void V1(out indices uint3 t[1]) { SetMeshOutputCounts(0, 0); } //~ ERROR WG0361
NODE SMALL [OutputTopology("triangle")] void V2(out vertices Vertex v[1]) { SetMeshOutputCounts(0, 0); } //~ ERROR WG0361
NODE SMALL [OutputTopology("triangle")]
void V3(OUT, out vertices Vertex w[32]) { SetMeshOutputCounts(0, 0); } //~ ERROR WG0361
NODE SMALL [OutputTopology("triangle")]
void V4(OUT, out primitives float p[31] : P) { SetMeshOutputCounts(0, 0); } //~ ERROR WG0361
NODE SMALL [OutputTopology("triangle")]
void V5(out vertices Vertex v, out indices uint3 t[1]) { SetMeshOutputCounts(0, 0); } //~ ERROR WG0361
NODE SMALL [OutputTopology("triangle")]
void V6(out vertices Vertex v[257], out indices uint3 t[1]) { SetMeshOutputCounts(0, 0); } //~ ERROR WG0361
NODE SMALL [OutputTopology("triangle")]
void V7(out vertices Vertex v[1], out indices uint3 t[257]) { SetMeshOutputCounts(0, 0); } //~ ERROR WG0361
NODE SMALL [OutputTopology("triangle")]
void V8(out vertices Vertex v[1], out indices uint2 t[1]) { SetMeshOutputCounts(0, 0); } //~ ERROR WG0361
NODE SMALL [OutputTopology("line")]
void V9(out vertices Vertex v[1], out indices uint3 t[1]) { SetMeshOutputCounts(0, 0); } //~ ERROR WG0361
NODE SMALL [OutputTopology("line")]
void V10(out vertices Vertex v[1], out indices int2 t[1]) { SetMeshOutputCounts(0, 0); } //~ ERROR WG0361
NODE SMALL [OutputTopology("triangle")]
void V11(out vertices Vertex v[1], out indices uint t[3]) { SetMeshOutputCounts(0, 0); } //~ ERROR WG0361
NODE SMALL [OutputTopology("triangle")]
void V12(vertices Vertex v[1], out indices uint3 t[1]) { SetMeshOutputCounts(0, 0); } //~ ERROR WG0361
NODE SMALL [OutputTopology("triangle")]
void V13(inout vertices Vertex v[1], out indices uint3 t[1]) { SetMeshOutputCounts(0, 0); } //~ ERROR WG0361
NODE SMALL [OutputTopology("triangle")]
void V14([MaxRecords(1)] out vertices Vertex v[1], [AllowSparseNodes] out indices uint3 t[1]) { SetMeshOutputCounts(0, 0); } //~ ERROR WG0319 WG0120
