// Mesh nodes that are right, each near a limit or a rule.
struct Vertex { float4 position : SV_Position; float2 uv : TEXCOORD0; nointerpolation uint id : ID; };
struct Work { uint3 grid : SV_DispatchGrid; float3 offset; };
struct [NodeTrackRWInputSharing] Tracked { uint3 grid : SV_DispatchGrid; uint count; };
RWStructuredBuffer<uint> counts : register(u0);
groupshared float4 corners[7168 / 4];

// The record gives the grid, and the node is fed by another.
[Shader("node")] [NodeLaunch("mesh")] [NodeMaxDispatchGrid(64, 64, 1)] [NumThreads(32, 4, 1)] [OutputTopology("triangle")]
[NodeMaxInputRecordsPerGraphEntryRecord(64)] [WaveSize(32)]
void Dynamic(
    DispatchNodeInputRecord<Work> input, uint thread : SV_GroupIndex, uint3 group : SV_GroupID,
    uint3 global : SV_DispatchThreadID, uint3 local : SV_GroupThreadID, out indices uint3 triangles[126],
    out vertices Vertex verts[64])
{
    SetMeshOutputCounts(64, 126);
    if (thread < 64) {
        verts[thread].position = float4(input.Get().offset, 1) + corners[thread];
        verts[thread].uv.x = group.x;
        verts[thread].uv.y = local.y;
        verts[thread].id = global.x;
    }
    if (thread < 126) triangles[thread] = thread + uint3(0, 1, 2);
}

// Only some of the groups draw, the others return; the call is in another function.
void announce(uint vertices, uint lines) { SetMeshOutputCounts(vertices, lines); }
void place(float x, out float4 position) { position = float4(x, 0, 0, 1); }
[Shader("node")] [NodeLaunch("mesh")] [NodeDispatchGrid(2048, 2048, 1)] [NumThreads(128, 1, 1)] [outputtopology("line")]
void Fixed(
    globallycoherent RWDispatchNodeInputRecord<Tracked> input, uint thread : SV_GroupIndex, uint group : SV_GroupID,
    out vertices Vertex verts[256], out indices uint2 lines[256])
{
    if (group == 0) return;
    announce(256, 255);
    GroupMemoryBarrierWithGroupSync();
    InterlockedAdd(input.Get().count, 1);
    for (uint i = thread; i < 256; i += 128) {
        place(i, verts[i].position);
        if (i == 0) continue;
        Vertex vertex = { float4(i, 1, 0, 1), float2(0, 1), i };
        verts[i] = vertex;
        lines[i - 1].xy = uint2(i - 1, i);
    }
}

// No record at all; every system value of primitives, and all that a vertex may have.
struct Primitive {
    uint target : SV_RenderTargetArrayIndex; uint viewport : SV_ViewportArrayIndex; uint id : SV_PrimitiveID;
    uint rate : SV_ShadingRate; bool culled : SV_CullPrimitive; float3 normal : NORMAL;
};
struct Clipped { float4 position : SV_Position; float2 clip : SV_ClipDistance; float cull[2] : SV_CullDistance; };
[Shader("node")] [NodeLaunch("mesh")] [NodeIsProgramEntry] [NodeDispatchGrid(1, 1, 1)] [NumThreads(1, 1, 1)]
[OutputTopology("triangle")]
void Alone(out vertices Clipped verts[3], out indices uint3 triangles[1], out primitives Primitive prims[1])
{
    do {
        if (counts[0] == 0) { SetMeshOutputCounts(3, 1); } else { return; }
    } while (false);
    for (uint i = 0; i < 3; i++) {
        Clipped vertex = (Clipped)0;
        verts[i] = vertex;
        verts[i].cull[1] = 1;
    }
    triangles[0] = uint3(0, 1, 2);
    prims[0].culled = true;
    Primitive primitive = (Primitive)0;
    prims[0] = primitive;
}

// One vertex value, with the semantic at the parameter; exactly 32 rows and 32,768 bytes.
struct Largest { float4 position : SV_Position; float4 rest[7] : REST; };
[Shader("node")] [NodeLaunch("mesh")] [NodeDispatchGrid(65535, 64, 1)] [NumThreads(128, 1, 1)] [OutputTopology("triangle")]
void Bytes(uint thread : SV_GroupIndex, out vertices Largest verts[256], out indices uint3 triangles[1])
{
    SetMeshOutputCounts(256, 1);
    verts[thread].rest[thread % 7] = thread;
    triangles[0] = 0;
}
struct Inner { float4 a, b; };
struct Rows { float4 position : SV_Position; float4x4 world[6] : WORLD; Inner inner[2] : INNER; float4 last : LAST; };
[Shader("node")] [NodeLaunch("mesh")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(32, 1, 1)] [OutputTopology("triangle")]
void Most(
    uint thread : SV_GroupIndex, out vertices Rows verts[32], out indices uint3 triangles[32],
    out primitives float4 color[32] : COLOR)
{
    SetMeshOutputCounts(32, 32);
    color[thread] = 1;
    verts[thread].world[0][1] = 2;
    triangles[thread] = thread;
}

[Shader("node")] [NodeLaunch("thread")]
void Root([MaxRecords(1)] NodeOutput<Work> Dynamic, [MaxRecords(1)] NodeOutput<Tracked> Fixed)
{
    ThreadNodeOutputRecords<Work> a = Dynamic.GetThreadNodeOutputRecords(1);
    a.Get().grid = uint3(4, 4, 1);
    a.Get().offset = 0;
    a.OutputComplete();
    ThreadNodeOutputRecords<Tracked> b = Fixed.GetThreadNodeOutputRecords(1);
    b.Get().grid = 1;
    b.Get().count = 0;
    b.OutputComplete();
}
