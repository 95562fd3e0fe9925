// Outputs of mesh nodes: every kind of value, and writes to whole arrays, elements and parts of them.
struct Deep {
    float2 uv : TEXCOORD;
    bool lit : LIT;
};
struct Plain {
    float2 at;
    int2 number;
};
struct Corner {
    float4 position : SV_Position;
    nointerpolation float3 normal : NORMAL;
    noperspective centroid float2 plain : PLAIN;
    sample half fine : FINE;
    uint id : ID;
    row_major float3x4 frame : FRAME;
    double3 wide : WIDE;
    float2 near[2] : SV_ClipDistance1;
    float far : SV_ClipDistance0;
    float3 cull : SV_CullDistance;
    Deep deep;
    Plain both : BOTH;
    Plain rows[2] : ROW;
};
struct Face {
    uint layer : SV_RenderTargetArrayIndex;
    uint view : SV_ViewportArrayIndex;
    uint rate : SV_ShadingRate;
    uint number : SV_PrimitiveID;
    bool hidden : SV_CullPrimitive;
    float4 colour : COLOUR;
    bool3 flags : FLAGS;
};
struct Grid {
    uint2 groups : SV_DispatchGrid;
    float4 at;
};

void place(inout Corner corner, float4 at) {
    corner.position = at;
}

void shade(out float4 colour, out uint layer) {
    colour = 0.5;
    layer = 3;
}

[Shader("node")] [NodeLaunch("mesh")] [NodeMaxDispatchGrid(8, 8, 1)] [NumThreads(32, 1, 1)] [OutputTopology("triangle")]
void Draw(DispatchNodeInputRecord<Grid> input, uint thread : SV_GroupIndex, uint3 group : SV_GroupID,
          out vertices Corner corners[64], out primitives Face faces[32], out indices uint3 triangles[32]) {
    SetMeshOutputCounts(64, 32);
    Corner corner = (Corner)0;
    place(corner, input.Get().at);
    corner.deep.lit = thread > 3;
    corner.near[1].y = 7;
    corners[thread] = corner;
    int other = thread + 32;
    corners[other].position = input.Get().at;
    corners[other].position.xy = float2(group.xy);
    corners[other].normal[thread & 1] = 1;
    corners[other].near[thread & 1] = float2(5, 6);
    corners[other].near[1][thread & 1] = 8;
    corners[other].far = 9;
    corners[other].frame[2] = 4;
    corners[other].frame[1].z = 4;
    corners[other].deep.lit = thread < 3;
    corners[other].deep.uv = 2;
    corners[other].rows[thread & 1].number = int2(1, 2);
    corners[other].rows[1].at.x = 1;
    shade(faces[thread].colour, faces[thread].layer);
    faces[thread].hidden = thread == 2;
    faces[thread].flags = thread > 1;
    faces[thread].number = thread;
    triangles[thread] = uint3(thread, thread + 1, thread + 2);
}
