//! hints
struct R { uint mesh; };
struct Vertex { float4 position : SV_Position; };

[Shader("node")] [NodeLaunch("thread")]
void pick([MaxRecords(1)] NodeOutput<R> draw)
{
    ThreadNodeOutputRecords<R> record = draw.GetThreadNodeOutputRecords(1);
    record.Get().mesh = 7;
    record.OutputComplete();
}

[Shader("node")] [NodeLaunch("mesh")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(32, 1, 1)] [OutputTopology("triangle")]
void draw(DispatchNodeInputRecord<R> input, out vertices Vertex v[3], out indices uint3 t[1]) //~ HINT WG0605
{
    SetMeshOutputCounts(input.Get().mesh, 0);
}
