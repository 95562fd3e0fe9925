// A node that shares the input of a mesh node runs with the draws, which is too late for its records.
struct Item { uint value; };
struct Vertex { float4 position : SV_Position; };
[Shader("node")] [NodeLaunch("thread")]
void Last(ThreadNodeInputRecord<Item> input) { }

[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(1, 1, 1)]
void Pass(DispatchNodeInputRecord<Item> input, [MaxRecords(1)] NodeOutput<Item> Last) //~ emulated WG0379
{
    ThreadNodeOutputRecords<Item> item = Last.GetThreadNodeOutputRecords(1);
    item.Get() = input.Get();
    item.OutputComplete();
}

[Shader("node")] [NodeLaunch("mesh")] [NodeShareInputOf("Pass")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(3, 1, 1)]
[OutputTopology("triangle")]
void Draw(DispatchNodeInputRecord<Item> input, out vertices Vertex verts[3], out indices uint3 triangles[1])
{
    SetMeshOutputCounts(0, 0);
}
