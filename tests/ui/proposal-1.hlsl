struct RecordData
{
    int myData;
};

[Shader("node")]
[NodeLaunch("thread")]
void MyGraphRoot(
    [MaxRecords(1)] NodeOutput<RecordData> nodes //~ ERROR WG0401
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
}
