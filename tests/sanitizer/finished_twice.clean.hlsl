// A workgroup says once that it is finished, in a loop of two iterations.

RWStructuredBuffer<uint> Out : register(u0);

struct [NodeTrackRWInputSharing] Sum { uint total; };

[Shader("node")]
[NodeLaunch("thread")]
void Main([MaxRecords(1)] NodeOutput<Sum> Add)
{
    ThreadNodeOutputRecords<Sum> sum = Add.GetThreadNodeOutputRecords(1);
    sum.Get().total = 5;
    sum.OutputComplete();
}

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(4, 1, 1)]
[NumThreads(1, 1, 1)]
void Add(uint3 group : SV_GroupID, RWDispatchNodeInputRecord<Sum> sum)
{
    InterlockedAdd(sum.Get().total, group.x);
    Barrier(NODE_INPUT_MEMORY, DEVICE_SCOPE);
    bool last = false;
    for (uint i = 0; i < 2 + Out[9]; ++i)
    {
        if (i == 1)
            last = sum.FinishedCrossGroupSharing();
    }
    if (last)
        Out[0] = 1;
}
