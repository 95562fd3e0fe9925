// Triangles: a broadcasting node gives the number of tiles of a row, and a workgroup of the mesh node outputs each. Tiles of
// one triangle, of two, and of none; values of vertices and of primitives; a size that a function sets.
struct Row {
    uint groups : SV_DispatchGrid;
    uint number;
};
struct Corner {
    float4 position : SV_Position;
    float3 colour : COLOUR;
    nointerpolation int id : ID;
    bool lit : LIT;
};
struct Face {
    uint layer : SV_RenderTargetArrayIndex;
    uint view : SV_ViewportArrayIndex;
    uint number : SV_PrimitiveID;
    bool hidden : SV_CullPrimitive;
    float2 weight : WEIGHT;
};

[Shader("node")] [NodeLaunch("broadcasting")] [NodeIsProgramEntry] [NodeDispatchGrid(4, 1, 1)] [NumThreads(1, 1, 1)]
void Rows(uint group : SV_GroupID, [MaxRecords(1)] NodeOutput<Row> Draw) {
    ThreadNodeOutputRecords<Row> row = Draw.GetThreadNodeOutputRecords(1);
    row.Get().groups = group;
    row.Get().number = group;
    row.OutputComplete();
}

// Tiles have four corners, or three, or none.
uint2 size(uint row, uint tile) {
    if (row == 1) return uint2(3, 1);
    return row + tile == 5 ? uint2(0, 0) : uint2(4, 2);
}

void say(uint2 size) {
    SetMeshOutputCounts(size.x, size.y);
}

Corner corner(uint row, uint tile, uint n) {
    Corner result;
    result.position = float4(tile + (n & 1), row + (n >> 1), 0.5, 1);
    result.colour = float3(row, tile, n) / 4;
    result.id = int(n) - 10 * int(row);
    result.lit = n == 2;
    return result;
}

[Shader("node")] [NodeLaunch("mesh")] [NodeMaxDispatchGrid(8, 1, 1)] [NumThreads(4, 1, 1)] [OutputTopology("triangle")]
void Draw(DispatchNodeInputRecord<Row> input, uint thread : SV_GroupIndex, uint tile : SV_GroupID,
          out vertices Corner corners[4], out primitives Face faces[2], out indices uint3 triangles[2]) {
    uint row = input.Get().number;
    uint2 count = size(row, tile);
    say(count);
    if (thread < count.x) {
        corners[thread] = corner(row, tile, thread);
    }
    if (thread < count.y) {
        triangles[thread] = thread == 0 ? uint3(0, 1, 2) : uint3(2, 1, 3);
        faces[thread].layer = row;
        faces[thread].view = tile * 2;
        faces[thread].number = 100 * row + 10 * tile + thread;
        faces[thread].hidden = tile == 1 && thread == 1;
        faces[thread].weight = float2(thread, 0.25);
    }
}
