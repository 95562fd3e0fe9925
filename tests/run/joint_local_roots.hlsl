// Elements that share their code, each with a record of local root arguments of its own. With `--joint-dispatch 2` they have one
// dispatch.
LocalRootSignature Own = { "RootConstants(num32BitConstants = 1, b1)" };
SubobjectToExportsAssociation Owners = { "Own", "Line0; Line1; Line2; Line3" };
struct Item { uint n; };
cbuffer Weight : register(b1) { uint weight; };
RWStructuredBuffer<uint> Out : register(u0);

[Shader("node")] [NodeLaunch("thread")]
void Start(ThreadNodeInputRecord<Item> input, [MaxRecords(4)] [NodeArraySize(4)] NodeOutputArray<Item> Line)
{
    for (uint i = 0; i < 4; i++)
    {
        ThreadNodeOutputRecords<Item> item = Line[i].GetThreadNodeOutputRecords(1);
        item.Get().n = i;
        item.OutputComplete();
    }
}

#define LINE(element, index) \
    [Shader("node")] [NodeLaunch("thread")] [NodeID("Line", element)] [NodeLocalRootArgumentsTableIndex(index)] \
    void Line##element(ThreadNodeInputRecord<Item> input) { InterlockedAdd(Out[input.Get().n], weight + input.Get().n); }
LINE(0, 2) LINE(1, 1) LINE(2, 3) LINE(3, 0)
