// Exactly the number of vertices that they hold.
struct Item { uint value; };
struct Size { uint vertices; uint primitives; };
struct Corner { float4 position : SV_Position; float shade : SHADE; };

[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry]
void Main(ThreadNodeInputRecord<Item> input, [MaxRecords(1)] NodeOutput<Size> Draw) {
    ThreadNodeOutputRecords<Size> size = Draw.GetThreadNodeOutputRecords(1);
    size.Get().vertices = input.Get().value + 4;
    size.Get().primitives = input.Get().value + 1;
    size.OutputComplete();
}

[Shader("node")] [NodeLaunch("mesh")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(4, 1, 1)] [OutputTopology("triangle")]
void Draw(DispatchNodeInputRecord<Size> input, uint thread : SV_GroupIndex, out vertices Corner corners[4],
          out indices uint3 triangles[2]) {
    SetMeshOutputCounts(input.Get().vertices, input.Get().primitives);
    corners[thread].position = thread;
    corners[thread].shade = 1;
    if (thread == 0) {
        triangles[0] = uint3(0, 1, 2);
    }
}
