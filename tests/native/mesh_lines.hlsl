// Mesh nodes that draw lines: locations that the source gives, whole arrays that a function fills, no vertex at all.
struct Point {
    [[vk::location(4)]] float4 colour : COLOUR;
    float4 position : SV_Position;
    [[vk::location(1)]] float size : SIZE;
};

void all(out Point points[4]) {
    for (uint i = 0; i < 4; i++) {
        points[i].position = i;
        points[i].colour = 1;
        points[i].size = 2;
    }
}

[Shader("node")] [NodeLaunch("mesh")] [NodeDispatchGrid(3, 1, 1)] [NumThreads(1, 1, 1)] [OutputTopology("line")]
void Lines(out vertices Point points[4], out indices uint2 lines[2],
           out primitives uint hidden[2] : SV_CullPrimitive) {
    SetMeshOutputCounts(4, 2);
    all(points);
    lines[0] = uint2(0, 1);
    lines[1] = uint2(2, 3);
    hidden[0] = 0;
    hidden[1] = 12;
}

[Shader("node")] [NodeLaunch("mesh")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(1, 1, 1)] [OutputTopology("line")]
void Nothing(out vertices Point points[4], out indices uint2 lines[2]) {
    SetMeshOutputCounts(0, 0);
}
