// The first example of Slang's work-graph proposal, with a target for its output and an effect for its child.

RWStructuredBuffer<int> Sum : register(u0);

struct RecordData
{
    int myData;
};

[Shader("node")]
[NodeLaunch("thread")]
void MyGraphRoot(
    [MaxRecords(1)] [NodeID("MyChildNode")] NodeOutput<RecordData> nodes
)
{
    let node = nodes.GetThreadNodeOutputRecords(1);
    node.Get().myData = 123456;
    node.OutputComplete();
}

[shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[numthreads(8, 8, 1)]
void MyChildNode(
    DispatchNodeInputRecord<RecordData> inputData,
    uint2 dispatchThreadId : SV_DispatchThreadID
)
{
    int myData = inputData.Get().myData;
    if (dispatchThreadId.x == 0 && dispatchThreadId.y == 0)
        InterlockedAdd(Sum[0], myData);
    InterlockedAdd(Sum[1], 1);
}
