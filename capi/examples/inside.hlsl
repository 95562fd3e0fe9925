// The graph of inside.c: numbers go to a node that squares them and to one that draws them, each with local root arguments.
LocalRootSignature Own = { "RootConstants(num32BitConstants = 1, b1), UAV(u1)" };
SubobjectToExportsAssociation Owners = { "Own", "Square; Draw" };

struct Number { uint value; uint at; };
struct Item { uint data[2]; };
struct Corner { float4 position : SV_Position; };

RWStructuredBuffer<uint> Result : register(u0);
cbuffer Factor : register(b1) { uint factor; };
RWStructuredBuffer<uint> List : register(u1);

[Shader("node")] [NodeLaunch("thread")]
void Start(ThreadNodeInputRecord<Number> input, [MaxRecords(1)] NodeOutput<Item> Square, [MaxRecords(1)] NodeOutput<Item> Draw)
{
    Number number = input.Get();
    ThreadNodeOutputRecords<Item> item = Square.GetThreadNodeOutputRecords(1);
    item.Get().data[0] = number.value;
    // There are two elements: a larger index means the last one, and an error of the graph.
    item.Get().data[number.at] = number.value;
    item.OutputComplete();
    // Such an index also makes it request more records than allowed.
    uint count = number.at > 1 ? number.at - 1 : number.value % 2;
    ThreadNodeOutputRecords<Item> drawn = Draw.GetThreadNodeOutputRecords(count);
    if (number.value % 2 == 1)
        drawn.Get().data[0] = number.value;
    drawn.OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")] [NodeLocalRootArgumentsTableIndex(2)]
void Square(ThreadNodeInputRecord<Item> input)
{
    uint value = input.Get().data[0];
    InterlockedAdd(List[0], value * value * factor);
    InterlockedAdd(Result[0], 1);
}

[Shader("node")] [NodeLaunch("mesh")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(3, 1, 1)] [OutputTopology("triangle")]
[NodeLocalRootArgumentsTableIndex(1)]
void Draw(DispatchNodeInputRecord<Item> input, uint thread : SV_GroupIndex, out vertices Corner corners[3],
          out indices uint3 triangles[1])
{
    SetMeshOutputCounts(3, 1);
    corners[thread].position = float4(thread % 2, thread / 2, 0, 1);
    if (thread == 0)
    {
        triangles[0] = uint3(0, 1, 2);
        InterlockedAdd(List[0], input.Get().data[0] * factor);
        InterlockedAdd(Result[1], 1);
    }
}
