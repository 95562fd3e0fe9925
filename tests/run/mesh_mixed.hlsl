// Mesh nodes among others: an array of them next to a node that sends on, and one that is an entry and writes to its record.
// Another node is fed from two stages and shares its input with a node that only counts. Each also counts its work, for
// devices that do not report the output.
RWStructuredBuffer<uint> Out;
struct Order { uint kind; uint grid; uint value; };
struct Item { uint grid : SV_DispatchGrid; uint value; };
struct Mark { uint value; };
struct Corner { float4 position : SV_Position; uint value : VALUE; };

[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry]
void Feed(ThreadNodeInputRecord<Order> input, [MaxRecords(1)] [NodeArraySize(2)] NodeOutputArray<Item> Kinds,
          [MaxRecords(1)] NodeOutput<Item> Pass, [MaxRecords(1)] NodeOutput<Mark> Late) {
    Order order = input.Get();
    bool passes = order.kind == 2;
    ThreadNodeOutputRecords<Item> item = Kinds[order.kind & 1].GetThreadNodeOutputRecords(passes ? 0 : 1);
    ThreadNodeOutputRecords<Item> passed = Pass.GetThreadNodeOutputRecords(passes ? 1 : 0);
    if (passes) {
        passed.Get().grid = order.grid;
        passed.Get().value = order.value;
    } else {
        item.Get().grid = order.grid;
        item.Get().value = order.value;
    }
    item.OutputComplete();
    passed.OutputComplete();
    bool odd = (order.value & 1) != 0;
    ThreadNodeOutputRecords<Mark> mark = Late.GetThreadNodeOutputRecords(odd ? 1 : 0);
    if (odd) {
        mark.Get().value = order.value;
    }
    mark.OutputComplete();
}

[Shader("node")] [NodeLaunch("mesh")] [NodeID("Kinds", 0)] [NodeMaxDispatchGrid(4, 1, 1)] [NumThreads(3, 1, 1)]
[OutputTopology("triangle")]
void Triangles(DispatchNodeInputRecord<Item> input, uint group : SV_GroupID, uint thread : SV_GroupIndex,
               out vertices Corner corners[3], out indices uint3 triangles[1]) {
    SetMeshOutputCounts(3, 1);
    corners[thread].position = float4(thread, group, 0, 1);
    corners[thread].value = input.Get().value;
    if (thread == 0) {
        triangles[0] = uint3(0, 1, 2);
        InterlockedAdd(Out[0], input.Get().value * (group + 1));
    }
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(4, 1, 1)] [NumThreads(2, 1, 1)]
void Pass(DispatchNodeInputRecord<Item> input, uint group : SV_GroupID,
          [MaxRecords(2)] NodeOutput<Mark> Late) {
    GroupNodeOutputRecords<Mark> marks = Late.GetGroupNodeOutputRecords(2);
    marks[0].value = input.Get().value + 100 * group;
    marks[1].value = 1;
    marks.OutputComplete();
}

[Shader("node")] [NodeLaunch("mesh")] [NodeID("Kinds", 1)] [NodeMaxDispatchGrid(4, 1, 1)] [NumThreads(32, 1, 1)]
[OutputTopology("line")]
void Strips(DispatchNodeInputRecord<Item> input, uint group : SV_GroupID, uint thread : SV_GroupIndex,
            out vertices Corner points[32], out indices uint2 lines[31]) {
    // The value is the number of points, at most 32; below two there are none.
    uint count = min(input.Get().value, 32);
    if (count < 2) {
        return;
    }
    SetMeshOutputCounts(count, count - 1);
    if (thread < count) {
        points[thread].position = float4(thread, group, 0, 1);
        points[thread].value = thread;
    }
    if (thread + 1 < count) {
        lines[thread] = uint2(thread, thread + 1);
    }
    InterlockedAdd(Out[1], 1);
}

[Shader("node")] [NodeLaunch("mesh")] [NodeDispatchGrid(2, 3, 1)] [NumThreads(1, 1, 1)] [OutputTopology("triangle")]
void Late(DispatchNodeInputRecord<Mark> input, uint3 group : SV_GroupID, out vertices Corner corners[3],
          out indices uint3 triangles[1]) {
    bool drawn = group.x == 1 && group.y == 2;
    SetMeshOutputCounts(drawn ? 3 : 0, drawn ? 1 : 0);
    if (drawn) {
        for (uint i = 0; i < 3; i++) {
            corners[i].position = float4(i, 0, 0, 1);
            corners[i].value = input.Get().value;
        }
        triangles[0] = uint3(2, 1, 0);
        InterlockedAdd(Out[2], input.Get().value);
    }
}

[Shader("node")] [NodeLaunch("coalescing")] [NodeShareInputOf("Late")] [NumThreads(1, 1, 1)]
void Tally([MaxRecords(3)] GroupNodeInputRecords<Mark> input) {
    for (uint i = 0; i < input.Count(); i++) {
        InterlockedAdd(Out[3], input[i].value);
        InterlockedAdd(Out[4], 1);
    }
}

[Shader("node")] [NodeLaunch("mesh")] [NodeIsProgramEntry] [NodeDispatchGrid(8, 1, 1)] [NumThreads(4, 1, 1)]
[OutputTopology("triangle")]
void Own(RWDispatchNodeInputRecord<Mark> input, uint group : SV_GroupID, uint thread : SV_GroupIndex,
         out vertices Corner corners[3], out indices uint3 triangles[1]) {
    SetMeshOutputCounts(0, 0);
    if (group == 5 && thread == 2) {
        input.Get().value += 7;
        InterlockedMax(Out[5], input.Get().value);
    }
}
