// Records of one word each, four bytes apart, as those of Direct3D's sample of mesh nodes.
LocalRootSignature Own = { "RootConstants(num32BitConstants = 1, b1)" };
SubobjectToExportsAssociation Owners = { "Own", "First; Second; Third" };
struct Item { uint n; };
struct Weight { float weight; };
ConstantBuffer<Weight> Scale : register(b1);
cbuffer Offset : register(b1) { int offset; };
RWStructuredBuffer<float> Out : register(u0);

[Shader("node")] [NodeLaunch("thread")]
void Start(ThreadNodeInputRecord<Item> input, [MaxRecords(3)] [NodeArraySize(3)] NodeOutputArray<Item> Line)
{
    for (uint i = 0; i < 3; i++)
    {
        ThreadNodeOutputRecords<Item> item = Line[i].GetThreadNodeOutputRecords(1);
        item.Get().n = input.Get().n + i;
        item.OutputComplete();
    }
}

[Shader("node")] [NodeLaunch("thread")] [NodeID("Line", 0)] [NodeLocalRootArgumentsTableIndex(2)]
void First(ThreadNodeInputRecord<Item> input) { Out[0] = input.Get().n * Scale.weight; }

[Shader("node")] [NodeLaunch("thread")] [NodeID("Line", 1)] [NodeLocalRootArgumentsTableIndex(1)]
void Second(ThreadNodeInputRecord<Item> input) { Out[1] = input.Get().n * Scale.weight + 1; }

[Shader("node")] [NodeLaunch("thread")] [NodeID("Line", 2)] [NodeLocalRootArgumentsTableIndex(3)]
void Third(ThreadNodeInputRecord<Item> input) { Out[2] = (int)input.Get().n + offset; }
