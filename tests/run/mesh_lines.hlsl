// Lines: an entry node that outputs meshes, in a static grid; a function that fills the whole array, matrices, distances
// to planes and numbers of 16 and 64 bits.
struct Strip {
    uint length;
    float step;
};
struct Pair {
    float2 at;
    uint count;
};
struct Point {
    float4 position : SV_Position;
    float2 near[2] : SV_ClipDistance;
    float far : SV_CullDistance;
    row_major float2x3 frame : FRAME;
    column_major float2x3 other : OTHER;
    double wide : WIDE;
    Pair pairs[2] : PAIR;
    float unused : UNUSED;
};

void fill(out Point points[4], Strip strip, uint2 group) {
    for (uint i = 0; i < 4; i++) {
        points[i].position = float4(i * strip.step, group.x, group.y, 1);
        points[i].near[0] = float2(i, 1);
        points[i].near[1] = float2(2, group.x);
        points[i].far = -float(i);
        points[i].frame = float2x3(1, 2, 3, 4, 5, 6 + i);
        points[i].other = float2x3(1, 2, 3, 4, 5, 6 + i);
        points[i].wide = 0.125L * i + 1e10L;
        points[i].pairs[0].at = float2(i, 7);
        points[i].pairs[0].count = i * i;
        points[i].pairs[1] = points[i].pairs[0];
        points[i].pairs[1].count += 1;
        points[i].unused = 0;
    }
}

[Shader("node")] [NodeLaunch("mesh")] [NodeDispatchGrid(2, 1, 2)] [NumThreads(1, 1, 1)] [OutputTopology("line")]
void Lines(DispatchNodeInputRecord<Strip> input, uint3 group : SV_GroupID, out vertices Point points[4],
           out indices uint2 lines[4], out primitives uint shades[4] : SHADE) {
    Strip strip = input.Get();
    SetMeshOutputCounts(4, strip.length);
    fill(points, strip, group.xz);
    for (uint i = 0; i < strip.length; i++) {
        lines[i] = uint2(i, (i + 1) & 3);
        shades[i] = group.x + 10 * group.z + 100 * i;
    }
}
