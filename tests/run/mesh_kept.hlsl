// The output of a workgroup depends on all of its threads: those that keep a triangle are counted, and the count gives the
// triangle's index. A value of a vertex is written by several threads, a part each.
struct Source {
    uint first;
};
struct Corner {
    float4 position : SV_Position;
    uint2 from : FROM;
};

groupshared uint Kept;
groupshared uint Place[8];

bool keeps(uint n) {
    return n % 3 == 1;
}

[Shader("node")] [NodeLaunch("mesh")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(8, 1, 1)] [OutputTopology("triangle")]
void Kept3(DispatchNodeInputRecord<Source> input, uint thread : SV_GroupIndex, out vertices Corner corners[24],
           out indices uint3 triangles[8]) {
    if (thread == 0) {
        Kept = 0;
        for (uint i = 0; i < 8; i++) {
            Place[i] = Kept;
            Kept += keeps(input.Get().first + i) ? 1 : 0;
        }
    }
    GroupMemoryBarrierWithGroupSync();
    uint count = Kept;
    SetMeshOutputCounts(count * 3, count);
    uint number = input.Get().first + thread;
    if (keeps(number)) {
        uint at = Place[thread];
        triangles[at] = at * 3 + uint3(0, 1, 2);
        for (uint i = 0; i < 3; i++) {
            corners[at * 3 + i].position.xy = float2(number, i);
            corners[at * 3 + i].from.x = number;
        }
    }
    // The threads in reverse order write the rest.
    uint last = 7 - thread;
    if (last < count) {
        for (uint i = 0; i < 3; i++) {
            corners[last * 3 + i].position.z = last;
            corners[last * 3 + i].position.w = 1;
            corners[last * 3 + i].from.y = i;
        }
    }
}
